"""What developers run: nothing here is needed to use the project."""
