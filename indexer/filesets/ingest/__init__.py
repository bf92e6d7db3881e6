"""The whole ingest of a dataset: its parts are made from options, and called one after the other.

request → landing → platforms → strategies → results          all exchanges → evidence
"""
