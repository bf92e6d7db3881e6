"""Extraction: title, text, date, language and canonical URL of a page.

Pages are hostile input, so `extractor` runs `extraction` in processes that can be killed.
"""
