"""Commands for stacks in Docker: what a flavor needs there."""
