"""Exports of items: their files under the original paths, or as a bag (BagIt, RFC 8493).

item → contents: each file as a stream, whatever holds it → copied, and compared with the manifest
     → DIRECTORY/ITEM, whole or not at all

`folder` knows which paths a file system holds, `bag` the names and the lists of a bag. Nothing is
fetched from the network but the item itself.
"""
