"""Programs for those who run the others: what there is to see, and the log."""
