"""Stories: what a news page is, and the domain code of its pipeline: mostly pure functions.

queuers     where links come from: feeds, tables, an rss-fetcher, other archives
fetching    which URLs may be stories, and what an answer is worth
extraction  from a page to title, text, date and language
indexing    documents of the search index: made, compared, updated, erased
archiving   WARC files of stories: written, read, verified, searched
history     pages and tables of the system before this one
tools       queues and files of stories, for operators and tests
"""
