"""Stories of the system before this one: its tables, its pages, and their two epochs."""
