"""What a plan says of the limits of a bot's processes."""

import pytest

from ladder.sandbox import plan


@pytest.mark.parametrize("text", [None, "", "0.1 0.2 0.3"], ids=["no file", "empty", "cut off"])
def test_a_machine_that_hides_its_processes_is_named_with_the_reason(tmp_path, monkeypatch, text):
    file = tmp_path / "loadavg"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(plan, "Path", lambda path: file)
    with pytest.raises(
        plan.CannotConfine, match="processes of this machine cannot be read, which bounds"
    ) as told:
        plan.tasks.__wrapped__()
    assert (8, "mount /proc: ladder doctor") == (told.value.exit_code, told.value.hint)
