"""Connections to checked addresses, with a limit of time and of bytes; new ones and kept ones.

    dialer      name → addresses → those that may be visited → a socket to one of them
    bounded     sockets whose limits hold whatever a server sends; the TLS settings
    tls         the settings of TLS, and sessions that later connections resume
    connection  a socket, with TLS for the name in the URL
    pool        connections that are kept between two exchanges
    proxy       the operator's proxy
    failures    the parts of fetching that can fail

Nothing here knows HTTP messages, but for a proxy's tunnel.
"""
