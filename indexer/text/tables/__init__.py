"""Tables of URLs: the layout of a file, and its rows."""
