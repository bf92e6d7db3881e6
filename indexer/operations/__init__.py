"""The central log of all programs.

No module of this room takes part in a pipeline.
"""
