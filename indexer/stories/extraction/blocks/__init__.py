"""Finds the text of a story in one pass over the tree of its page, by arithmetic on its blocks.

    walk → blocks, containers, ranges → pruned sums → choice of containers → lines of text, doubts

Each choice compares differences of prefix sums, so its time is linear in the size of the page.
"""
