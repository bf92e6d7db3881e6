"""The end of attempts: decides which items are new stories, and saves them in one transaction.

Old rows are deleted here, too. No module here sends a request.
"""
