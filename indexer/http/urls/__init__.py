"""URLs, hosts and addresses: pure functions, without I/O.

    parts      the one parser: URL → Parts → Server(host, port, address)
    target     a URL that may be fetched, built on `parts`
    hosts      names of hosts, compared by whole labels; `registered_domains`: public suffixes
    addresses  which IP addresses may be visited
    redaction  URLs without their credentials

Nothing here knows stories or feeds, and nothing resolves names.
"""
