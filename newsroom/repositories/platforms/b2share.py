"""B2SHARE: records whose files are in buckets (spec 10.10)."""

from collections.abc import Mapping
from typing import ClassVar

from newsroom.repositories.dataset import Dataset, State
from newsroom.repositories.exchange import Answer, Asked, json_answer
from newsroom.repositories.platforms.platform import Platform, Route

HOST = "b2share.example"


class B2Share(Platform):
    """Records with ids of 32 hexadecimal digits; their buckets have the same ids."""

    name = "b2share"
    hosts = (HOST,)
    options: ClassVar = {"B2SHARE_URL": f"http://{HOST}"}

    def routes(self) -> Mapping[str, Route]:
        return {
            r"/records/([0-9a-f]{32})": self._page,
            r"/api/records/([0-9a-f]{32})": self._record,
            r"/api/files/([0-9a-f]{32})/(.+)": self._bytes,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/records/{dataset.id}"

    def _page(self, _: Asked, id: str) -> Answer:
        return self.page_of(self.catalogue.find(self.name, id), "B2SHARE")

    def _record(self, _: Asked, id: str) -> Answer:
        found = self.found(id)
        files = [
            {
                "bucket": found.id,
                "key": file.path,
                "checksum": f"md5:{file.told_hash}",
                "size": file.size,
                "version_id": f"{at:032x}",
                "ePIC_PID": f"http://hdl.handle.example/11304/{at:08x}",
            }
            for at, file in enumerate(found.files)
        ]
        metadata = {
            "titles": [{"title": found.title}],
            "creators": [{"creator_name": name} for name in found.creators],
            "descriptions": [{"description": found.description}],
            "DOI": found.doi,
            "open_access": found.state is State.OPEN,
            "publication_state": "published",
            "publication_date": found.date,
        }
        created = f"{found.date}T09:30:00.000000+00:00"
        return json_answer({"id": id, "created": created, "files": files, "metadata": metadata})

    def _bytes(self, _: Asked, id: str, key: str) -> Answer:
        found = self.found(id)
        return self.bytes_of(found, key) if found.state is State.OPEN else self.missing()
