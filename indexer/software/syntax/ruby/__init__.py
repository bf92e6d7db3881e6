"""Ruby, as far as gemspecs need it: tokens, expressions, assignments. No code is ever run.

tokens        →  expressions        →  gemspec
of a text        values that are       the assignments to
                 written out           the specification
"""
