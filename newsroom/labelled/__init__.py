"""Labelled pages: layouts of real sites around our own texts, with the ground truth of each.

`python -m newsroom.labelled DIR` writes them for `story-indexer eval extraction`.
README.md lists the systems, and the oddities of each.
"""
