"""Published files of the CodeMeta project, unchanged; `sources.toml` records their sources."""
