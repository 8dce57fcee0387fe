package dev.incumbent.protocol.operator;

import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import java.time.Instant;
import java.util.Optional;

/**
 * A confirmation that a holder acts no more, under way.
 *
 * @param node where that holder ran
 * @param said by whom and why; its time is that of the first step
 * @param found the holder, once it was read
 * @param isInHistory the history has its term
 */
record ConfirmState(Talk talk, String node, long term, HolderProof said, Optional<Holder> found, boolean isInHistory)
        implements OperatorState {
    static ConfirmState of(String who, String node, long term, String why) {
        HolderProof said = new HolderProof(HolderProof.Kind.CONFIRMED, who, why, Instant.EPOCH);
        return new ConfirmState(Talk.of(who), node, term, said, Optional.empty(), false);
    }

    @Override
    public long wakeAtNanos() {
        return talk.askAgainAt();
    }

    ConfirmState with(Talk now) {
        return new ConfirmState(now, node, term, said, found, isInHistory);
    }

    ConfirmState begunAt(Instant time) {
        return new ConfirmState(
                talk, node, term, new HolderProof(said.kind(), said.by(), said.why(), time), Optional.empty(), false);
    }

    ConfirmState finding(Holder holder, boolean remembered) {
        return new ConfirmState(talk, node, term, said, Optional.of(holder), remembered);
    }
}
