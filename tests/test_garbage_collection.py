"""The garbage collector is paused for a while, and left as it was."""

import gc

import pytest

from hyperskip.garbage_collection import garbage_collection_paused


@pytest.mark.parametrize("enabled", [True, False])
def test_a_pause_ends_with_what_was_before(enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(KeyError), garbage_collection_paused():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
