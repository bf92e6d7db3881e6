"""HTTP: URLs, a client for any server, politeness, robots.txt, and JSON services.

    urls         the parser of URLs, and the addresses that may be visited
    fetching     a client that is safe for any URL
    politeness   the times at which a site may be visited
    robots       the rules of sites for robots
    json_service a client for a server of the operator's own

Nothing here knows stories or feeds.
"""
