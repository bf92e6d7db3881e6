"""One poll in, one attempt out: conditional requests, redirects, and what answers mean.

Documents are not read here, and nothing is written to the database.
"""
