"""How long tests wait for something that must happen."""

PATIENCE = 600.0
"""Seconds after which a test takes a process, a server or a thread for hung.

No outcome depends on it: on an idle machine everything waited for happens within seconds, and a
busy machine may be a hundred times slower.
"""
