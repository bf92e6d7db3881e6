"""Documents of the search index: made from stories, compared, updated and erased."""
