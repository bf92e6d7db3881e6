"""Files of this machine: locks between processes, files written whole or not at all, journals.

Nothing here knows what the files contain.
"""
