"""Migrations of two steps."""
