"""Imitation repositories: the APIs of research repositories and archives, on loopback.

    table, many → Catalogue → platforms/ → Answer → faults → HTTP, and the log of requests

Data and texts were made for this project; the hosts are under the reserved domain `.example`, and
all of them are one server, which a client finds by its options:

    with Repositories() as repositories:
        repositories.settings       DOI_URL, ZENODO_URL, …, FETCHER_RESOLVE as environment variables
        repositories.faults.switch_on("429:times=2@zenodo.example/api/*")
        repositories.log.bytes_of_files()

The shapes are those of the spec `filesets.md`, section 10. Nothing here imports the product.
"""
