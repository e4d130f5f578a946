"""The options of a cluster contradict each other only with an error."""

from typing import Any

import pytest
from facts import naming

from hyperskip.cluster.options import ClusterOptions
from hyperskip.errors import OptionError


def test_options_require_a_cluster() -> None:
    assert ClusterOptions(cluster="auto", nodes=2, merge_words=1000).nodes == 2
    assert ClusterOptions().cluster is None
    with pytest.raises(OptionError, match=naming("`nodes`", "`cluster`")):
        ClusterOptions(nodes=2)
    with pytest.raises(OptionError, match=naming("`merge_words`", "`cluster`")):
        ClusterOptions(merge_words=5000)


@pytest.mark.parametrize(("name", "value"), [("nodes", 0), ("merge_words", 999), ("cluster", 7)])
def test_values_outside_their_range(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=naming(f"`{name}`", value)):
        ClusterOptions(**{"cluster": "auto", name: value})
