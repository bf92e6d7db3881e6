"""Stories: the data of a news page, and the domain code of its pipeline, mostly pure functions.

queuers     sources of links: feeds, tables, an rss-fetcher
fetching    rules for URLs that may be stories, and for the answers of web servers
extraction  title, text, date and language of a page
indexing    documents of the search index: made, compared, updated, erased
archiving   WARC files of stories: written, read, verified, searched
history     pages and tables of the system that this one replaced
tools       queues and files of stories, for operators and tests
"""
