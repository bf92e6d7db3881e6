"""URLs, hosts and addresses: pure functions, without I/O.

    parts      the one parser: URL → Parts → Server(host, port, address); names of hosts, compared
               by whole labels; URLs without their credentials
    target     a URL that may be fetched, built on `parts`
    addresses  which IP addresses may be visited

`registered_domains` knows the public suffixes.

Nothing here knows stories or feeds, and nothing resolves names.
"""
