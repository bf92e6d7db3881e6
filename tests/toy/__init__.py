"""Small programs, to be supervised: a source, a worker that may die, a sink; and a family."""
