"""A whole pipeline as processes of this machine: started, watched, restarted, stopped.

Programs are started by name and report on a pipe. None of them is imported here.
"""
