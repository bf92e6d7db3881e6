"""The oracle of the profile `compat`: the existing system, run as a black box on the same files.

    files → inputs → the existing system, in its own environment → compared, corrections aside
                   → the profile compat                          →

    python -m benchmarks.software_oracle FOLDER PATH...

makes the environment in FOLDER if it isn't there. The environment is never the project's own: the
existing system has another licence, and its source is neither read nor copied.
"""
