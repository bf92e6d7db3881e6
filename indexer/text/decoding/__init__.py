"""Decodes bytes to text: labels of encodings, declarations in documents, and the right choice."""
