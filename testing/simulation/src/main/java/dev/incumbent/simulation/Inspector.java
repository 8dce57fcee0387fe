package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One invariant: hears what really happens, and sees true time; an {@link Onlooker} is asked after every event, too. Its class is named as its sentence. */
abstract class Inspector {
    private final World world;

    Inspector(World world) {
        this.world = world;
    }

    final World world() {
        return world;
    }

    final void violated(String how) {
        world.violated(getClass().getSimpleName(), how);
    }

    void begun(Begun begun) {}

    void ended(Begun begun, EndReason reason) {}

    /** The record changed, or its lease died, by a swap that bears {@code after}'s nonce; not told of a restore. */
    void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {}

    void restored() {}

    void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {}

    void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {}

    void wentBack(SinkModel sink) {}

    /** A fence agent turns a machine off, because of a holder of a term of that election. */
    void turnsOff(Node node, ElectionName election, long term) {}

    void quiet(ElectionName election) {}

    void thawing(ElectionName election) {}

    void revoking(SimulatedProcess by, LeaseId lease) {}

    /** A program is about to ask its candidacy to resign. */
    void resigns(Player player) {}

    void promised(SimulatedProcess by, String what, CompletionStage<?> stage) {}

    /** Now and then, a few times a lease. */
    void sampled() {}

    /** Faults have ceased for long; one more is about to happen. */
    void recovered() {}

    void afterFaultsCeased() {}
}
