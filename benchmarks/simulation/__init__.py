"""Thirty days of polling, made up: how our schedule does, beside the rule in production.

    world → servers → attempts → the policy's columns → queue of feeds       memory, both policies
                                claims, turns, blocks, saving, retention     stored, ours

Feeds of eleven kinds publish at made-up moments. The policy's code is the product's, and so is, in
the second part, everything that touches the database. See docs/feeds/scheduling.md.
"""
