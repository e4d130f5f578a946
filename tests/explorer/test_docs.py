"""The examples in docs/explorer.md work."""

import json
import re
from pathlib import Path

from api_client import Client

from hyperskip.explorer.api.endpoints import ENDPOINTS

DOCS = (Path(__file__).parents[2] / "docs" / "explorer.md").read_text(encoding="utf-8")


def test_every_endpoint_has_an_example_that_works(hierarchy_client: Client) -> None:
    examples = re.findall(r"http://127\.0\.0\.1:8400(/[^)'\s]*)", DOCS)
    assert {path.split("?")[0] for path in examples} == {endpoint.path for endpoint in ENDPOINTS}
    for path in examples:
        response = hierarchy_client.get(path)
        assert response.status_code == 200, f"{path}: {response.text}"


def test_a_word_has_the_documented_form(client: Client) -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```", DOCS, flags=re.DOTALL | re.MULTILINE)
    assert list(json.loads(shown)) == list(client.get("/api/word?word=dog").json())
