"""Where links to stories come from: feeds, sitemaps, tables, lists, an rss-fetcher's API."""
