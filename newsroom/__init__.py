"""The sample newsroom: eight made-up newspapers, served over real HTTP on loopback.

    site/<host>/{host.toml, page.html, <story>.txt} → load_site() → Newsroom → HTTP

Everything in it was written for this project: the people, places and papers do not exist, and
the hosts are under the reserved domain `.example` (RFC 2606). A story is a small text file; a
host's own template makes a page of it, in the encoding and with the dates that the file asks
for. `newsroom.expected` says what a pipeline must make of every link in the feeds.
"""
