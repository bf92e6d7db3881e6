"""Results for other readers: documents of the search index, entities of a catalogue.

    result → dataset_document → the search index, beside the stories
    result → gates → entity, a line of JSON for a catalogue (filesets.md 9.1)

What is never here: calls to a catalogue.
"""
