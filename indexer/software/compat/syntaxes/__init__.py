"""Syntaxes as the existing system reads them: which bytes are refused, and what a value becomes.

A reader raises `UnreadableManifest`, and nothing else. What is never here: what a key means.
"""
