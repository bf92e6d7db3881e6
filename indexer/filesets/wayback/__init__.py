"""The web archive: a client of its CDX API, its replay, and Save Page Now (spec 3.2, 3.3, 10.4).

find   URL → cdx: the best row → a redirect? replay: its target → … → Trail
save   URL → save: a job, followed to its end → cdx: the row of the new capture → Trail
read   Trail → replay: the bytes as they were captured

What is never here: what a capture is for, and whether its bytes are the right ones.
"""
