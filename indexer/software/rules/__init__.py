"""What a translation is made of: rules, formats as tables of rules, properties and diagnostics.

What is never here: how a value is read, and which formats there are.
"""
