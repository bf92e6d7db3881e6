"""From a page to what it says: title, text, date, language, canonical URL.

The page is hostile input: `extractor` runs `extraction` in a process that can be killed.
"""
