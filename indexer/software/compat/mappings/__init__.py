"""The mappings of the existing system: tables of keys, and a few small functions (spec 6)."""
