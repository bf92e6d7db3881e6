"""The sample newsroom: eight made-up newspapers, served over real HTTP on loopback.

    site/<host>/{host.toml, page.html, <story>.txt} → load_site() → Newsroom → HTTP

Everything was written for this project: the people, places and papers do not exist, and the hosts
are under the reserved domain `.example` (RFC 2606). A story is a small text file; the template of
its host makes a page of it, with the encoding and the dates that the file lists.
`newsroom.expected` has the result that a pipeline must reach for every link in the feeds.
"""
