"""One poll in, one attempt out: conditional requests, redirects, and the meaning of responses.

No module here reads documents or writes to the database.
"""
