"""The end of attempts: which items are new stories, and one transaction that saves them.

Also the removal of old rows. Nothing here sends a request.
"""
