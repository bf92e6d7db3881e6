"""Sources of links: feeds, tables, lists of URLs, and an rss-fetcher."""
