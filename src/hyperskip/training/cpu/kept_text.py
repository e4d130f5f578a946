"""The text of a block after subsampling, made by the threads of a team: each takes some parts."""

from typing import Any

import numpy as np

from hyperskip.kernel_parts import kernel_part
from hyperskip.random_draws import NEXT, is_kept, mixed, scaled_down

# Rows of `Round.kept`.
WORDS, FIRST, LAST = 0, 1, 2


@kernel_part(forceinline=True)
def _first_sentence(starts: Any, part: Any, parts: Any) -> Any:
    """The first sentence that starts in this part of the tokens, or in a later one."""
    begin = starts[len(starts) - 1] * part // parts
    low, high = 0, len(starts) - 1  # one of them, or the last start, which is the end
    while low < high:
        middle = (low + high) // 2
        if starts[middle] < begin:
            low = middle + 1
        else:
            high = middle
    return low


@kernel_part(forceinline=True)
def subsample(
    part: Any, tokens: Any, starts: Any, keep: Any, settings: Any, seed: Any, round_: Any
) -> Any:
    """Write the kept tokens of the sentences that start in a part, and their windows.

    The draw of a token depends on its position only. Windows are relative to the part.
    """
    parts = len(round_.kept_counts)
    begin_sentence = _first_sentence(starts, part, parts)
    end_sentence = _first_sentence(starts, part + 1, parts)
    origin = starts[begin_sentence]
    kept = round_.kept_parts
    random = seed + np.uint64(origin) * NEXT
    count = 0
    for s in range(begin_sentence, end_sentence):
        begin = count
        for t in range(starts[s], starts[s + 1]):
            random += NEXT
            bits = mixed(random)
            kept[WORDS, origin + count] = tokens[t]
            kept[FIRST, origin + count] = settings.window
            if settings.shrink_window:
                reach = 1 + scaled_down(bits << np.uint64(32), settings.window)
                kept[FIRST, origin + count] = reach
            count += is_kept(tokens[t], keep, bits)
        for c in range(begin, count):
            reach = kept[FIRST, origin + c]
            kept[FIRST, origin + c] = max(begin, c - reach)
            kept[LAST, origin + c] = min(count - 1, c + reach)
    round_.kept_counts[part] = count


@kernel_part(forceinline=True)
def join(part: Any, starts: Any, round_: Any) -> Any:
    """Copy a part behind the parts before it."""
    parts = len(round_.kept_counts)
    if parts == 1:
        return
    source = starts[_first_sentence(starts, part, parts)]
    begin = kept_before(part, round_)
    for c in range(round_.kept_counts[part]):
        round_.kept[WORDS, begin + c] = round_.kept_parts[WORDS, source + c]
        round_.kept[FIRST, begin + c] = begin + round_.kept_parts[FIRST, source + c]
        round_.kept[LAST, begin + c] = begin + round_.kept_parts[LAST, source + c]


@kernel_part(forceinline=True)
def kept_before(part: Any, round_: Any) -> Any:
    """Number of kept tokens before this part."""
    count = 0
    for earlier in range(part):
        count += round_.kept_counts[earlier]
    return count
