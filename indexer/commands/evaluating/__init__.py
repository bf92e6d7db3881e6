"""`story-indexer eval`: how good the results are, against a ground truth."""
