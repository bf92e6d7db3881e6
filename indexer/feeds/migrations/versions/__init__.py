"""The migrations, one a module; each names the one before it."""
