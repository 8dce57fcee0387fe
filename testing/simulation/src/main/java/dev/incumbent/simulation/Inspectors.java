package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** All invariants of a world; each hears all that happens. */
final class Inspectors {
    private final List<Inspector> all = new ArrayList<>();
    private final List<Onlooker> onlookers = new ArrayList<>();
    private final List<Witness> witnesses = new ArrayList<>();

    void add(Inspector inspector) {
        all.add(inspector);
        if (inspector instanceof Onlooker onlooker) {
            onlookers.add(onlooker);
        }
        if (inspector instanceof Witness witness) {
            witnesses.add(witness);
        }
    }

    void believed(List<Belief> beliefs) {
        for (int i = 0; i < onlookers.size(); i++) {
            onlookers.get(i).believed(beliefs);
        }
    }

    void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
        for (int i = 0; i < witnesses.size(); i++) {
            witnesses.get(i).stepped(player, before, event, step);
        }
    }

    void begun(Begun begun) {
        all.forEach(one -> one.begun(begun));
    }

    void ended(Begun begun, EndReason reason) {
        all.forEach(one -> one.ended(begun, reason));
    }

    void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
        all.forEach(one -> one.recordChanged(election, before, after));
    }

    void restored() {
        all.forEach(Inspector::restored);
    }

    void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {
        all.forEach(one -> one.raised(sink, election, before, after));
    }

    void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).admitted(sink, election, token, begun);
        }
    }

    void wentBack(SinkModel sink) {
        all.forEach(one -> one.wentBack(sink));
    }

    void turnsOff(Node node, ElectionName election, long term) {
        all.forEach(one -> one.turnsOff(node, election, term));
    }

    void quiet(ElectionName election) {
        all.forEach(one -> one.quiet(election));
    }

    void thawing(ElectionName election) {
        all.forEach(one -> one.thawing(election));
    }

    void revoking(SimulatedProcess by, LeaseId lease) {
        all.forEach(one -> one.revoking(by, lease));
    }

    void resigns(Player player) {
        all.forEach(one -> one.resigns(player));
    }

    void promised(SimulatedProcess by, String what, CompletionStage<?> stage) {
        all.forEach(one -> one.promised(by, what, stage));
    }

    void sampled() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).sampled();
        }
    }

    void recovered() {
        all.forEach(Inspector::recovered);
    }

    void afterFaultsCeased() {
        all.forEach(Inspector::afterFaultsCeased);
    }
}
