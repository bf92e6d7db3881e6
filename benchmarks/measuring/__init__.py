"""How stages are measured: CPU time, ours and the alternatives by turns, medians of the rounds."""
