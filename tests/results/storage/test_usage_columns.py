"""Usage is stored as bots report it: what they leave out is null, and so is what older files lack."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from support.records import a_match, a_seat

from results.record import Usage
from results.storage import parquet, schema


def test_what_was_not_said_is_stored_as_unknown() -> None:
    said = [Usage(1, 2, 0.5, 3), Usage(cost_usd=0.25), Usage(0, 0, 0.0), None]
    match = a_match(seats=[a_seat(usage=usage) for usage in said])
    table = schema.matches_table([match])
    assert [match] == schema.matches_from(table)
    column = table.column("seats").combine_chunks().flatten().field("usage")
    stored = column.to_pylist()
    assert [3, None, None, None] == [each and each["requests"] for each in stored]
    assert [1, None, 0, None] == [each and each["input_tokens"] for each in stored]


def test_a_file_from_before_requests_is_read(tmp_path: Path) -> None:
    table = schema.matches_table(
        [a_match(seats=[a_seat(usage=Usage(1, 2, 0.5)), a_seat("beta", 2, usage=None)])]
    )
    old = without_requests(table.schema.field("seats").type)
    rows = table.to_pylist()
    for seat in rows[0]["seats"]:
        if seat["usage"]:
            del seat["usage"]["requests"]
    fields = [field.with_type(old) if field.name == "seats" else field for field in table.schema]
    before = pa.Table.from_pylist(rows, schema=pa.schema(fields, metadata=table.schema.metadata))
    pq.write_table(before, tmp_path / "old.parquet")
    (found,) = parquet.read_parts(tmp_path / "old.parquet", schema.MATCHES)
    (match,) = schema.matches_from(found)
    assert [Usage(1, 2, 0.5), None] == [seat.usage for seat in match.seats]
    (alone,) = parquet.read_parts(tmp_path / "old.parquet", schema.select_columns(["seats.usage"]))
    assert None is alone.column("seats").to_pylist()[0][0]["usage"]["requests"]


def without_requests(seats: pa.DataType) -> pa.DataType:
    """Return the type of the column `seats` as it was before `requests`."""
    fields = []
    for field in seats.value_type:
        if field.name == "usage":
            field = field.with_type(pa.struct([part for part in field.type if part.name != "requests"]))
        fields.append(field)
    return pa.list_(pa.struct(fields))
