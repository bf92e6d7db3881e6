"""Programs for operators: statistics, and the central log."""
