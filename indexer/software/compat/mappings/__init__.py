"""The mappings of the existing system, each as a table of keys and a few small functions (spec 6)."""
