"""Simulates thirty days of polling, with our schedule and with the rule in production.

    world → servers → attempts → the policy's columns → queue of feeds       memory, both policies
                                claims, turns, blocks, saving, retention     stored, ours

Feeds of eleven kinds publish at random moments. The policies are the product's own code; in the
second part, so is everything that uses the database. See docs/feeds/scheduling.md.
"""
