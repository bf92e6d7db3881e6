"""The seed's example of a mapping, with only its imports changed."""
# ruff: noqa: RET503, RUF012 - the text of the seed
# mypy: disable-error-code="no-untyped-def, override"

import json

from indexer.software.codemeta import CROSSWALK_TABLE
from indexer.software.metadata_dictionary.base import DictMapping, SingleFileMapping


# fmt: off
class MyMapping(DictMapping, SingleFileMapping):
    """Dedicated class for ..."""
    name = 'my-mapping'
    filename = b'the-filename'
    mapping = CROSSWALK_TABLE['NodeJS']

    string_fields = ['name', 'version', 'description', 'summary',
                     'author', 'author-email']

    def translate(self, raw_content):
        raw_content = raw_content.decode()  # bytes to str
        content_dict = json.loads(raw_content)  # str to dict
        return self._translate_dict(content_dict)  # convert to CodeMeta

    def normalize_license(self, s):
        if isinstance(s, str):
            return {"@id": "https://spdx.org/licenses/" + s}
