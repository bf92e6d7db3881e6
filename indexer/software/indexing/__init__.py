"""Indexing: origins → heads → root directories → contents → translations → one document → rows.

    head  →  manifests of the directory  →  translations   →  merged    →  changes
             pages, one-level unwrap        each only once    document     one transaction

A row is written only if it differs from the stored one. What is never here: SQL, queues, and how an
archive is read.
"""
