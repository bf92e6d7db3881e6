"""Migrations of the tables of software metadata."""
