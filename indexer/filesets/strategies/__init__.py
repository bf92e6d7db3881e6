"""Strategies: how the files of a dataset are archived, and that they are what was announced.

    item → limits → strategy, with the reason → stored before? → each file: streamed once, hashed,
    compared with the manifest → stored → ArchiveStrategyResult

`choosing` is a table of thresholds; `archiveorg` stores files in an item, `web` captures in WARC
files. What is never here: the questions to platforms, and the result that other programs read.
"""
