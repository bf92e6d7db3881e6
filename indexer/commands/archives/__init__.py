"""Commands about archives and what they contain: `warc`, `archives`, `differences`."""
