"""Three small programs, to be supervised: a source, a worker that may die, and a sink."""
