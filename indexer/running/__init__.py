"""Whole pipelines on this machine: their programs as processes, watched, restarted, stopped.

Programs are started by module name, and report on a pipe. None of them is imported here.
"""
