"""The inputs of producers: finding them, reading them, and recording which are done and how far.

The content of an input is the business of the families.
"""
