"""Merging: what several files state → one list of values, each with all its sources, and conflicts.

    manifests          →  canonical forms, agents  →  strategies                →  merged metadata
    in order of trust     which values are one        union, prefer or newest      values, conflicts

What is never here: files, formats and their syntax.
"""
