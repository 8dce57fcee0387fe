package dev.incumbent.internal;

import dev.incumbent.Validity;
import dev.incumbent.protocol.ElectionState;

/** What was seen last, in the place of what equals it: ten thousand elections that are renewed together hold it once. Owned by the loop's thread. */
final class Shared {
    private ElectionState state = ElectionState.START;
    private Validity validity = new Validity(0, 0, 0);

    ElectionState of(ElectionState next) {
        state = next.sharing(state);
        return state;
    }

    Validity of(Validity next) {
        validity = next.equals(validity) ? validity : next;
        return validity;
    }
}
