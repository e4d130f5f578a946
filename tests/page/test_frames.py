"""A short run of the benchmark of frames."""

import frames
import pytest
from visits import Open


@pytest.mark.slow
def test_frames_are_measured_while_the_disc_is_dragged(
    visit: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = visit()
    frames.report(opened.page, seconds=0.5)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("297 points, WebGL2")
    assert [line.split()[0] for line in printed[1:]] == ["frames", "script", "pointing"]
    assert opened.center != (0, 0)
    assert len(frames.generated_vectors(50)) == 50
