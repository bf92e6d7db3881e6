"""HTTP as this project speaks it, and the services that are built on it.

    urls         what a URL says, and which addresses may be visited
    fetching     a client that is safe to point at any URL
    politeness   when a site may be visited next
    robots       what sites allow robots
    json_service a server of the operator's own, which answers in JSON

Nothing here knows what a story or a feed is.
"""
