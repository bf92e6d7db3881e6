"""HTTP: URLs, a client for any server, politeness, robots.txt, and JSON services.

    urls              the parser of URLs, and the addresses that may be visited
    connections       sockets to checked addresses, new ones and kept ones
    fetching          a client that is safe for any URL
    redaction         secrets are removed from recorded exchanges
    politeness        the times at which a site may be visited
    robots            the rules of sites for robots
    bounded_requests  GET by `requests`, within limits, for a server of the operator's own
    json_service      a client for such a server, which answers in JSON

Nothing here knows stories or feeds.
"""
