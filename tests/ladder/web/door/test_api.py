"""The description of addresses: what is sent, and who may send it."""

import json

from ladder.web.door.api import describe
from ladder.web.door.door import ApiRoute


def test_a_route_says_what_it_takes_and_that_it_needs_a_token():
    routes = [
        ApiRoute("files/{name}", "Read one.", str),
        ApiRoute("files/{name}", "Send one.", str, method="put", body=bytes, needs_token=True),
        ApiRoute("words", "Send them.", str, method="post", body=dict[str, int]),
    ]
    paths = json.loads(describe(routes))["paths"]
    assert {"get", "put"} == paths["/files/{name}"].keys()
    assert {"application/octet-stream": {"schema": {}}} == paths["/files/{name}"]["put"]["requestBody"][
        "content"
    ]
    assert [{"token": []}] == paths["/files/{name}"]["put"]["security"]
    words = paths["/words"]["post"]
    integers = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert {"application/json": {"schema": integers}} == words["requestBody"]["content"]
    assert ("security" in words, [{"token": []}]) == (False, paths["/files/{name}"]["put"]["security"])
