"""The landing page of a dataset: from the URL of a request to the evidence for its platform.

    base_url → cleaning → blocklists → fetching → Resource → page_head → biblio: html_biblio
                                                                       → evidence: Evidence

`doi` recognises DOIs in URLs and texts. Nothing here knows a platform.
"""
