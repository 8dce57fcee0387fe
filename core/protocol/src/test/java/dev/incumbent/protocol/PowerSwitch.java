package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.protocol.Bounds.Fault;
import dev.incumbent.protocol.World.Ask;
import dev.incumbent.protocol.World.Peer;
import dev.incumbent.protocol.Worlds.Happening;
import dev.incumbent.protocol.Worlds.Now;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What fence agents may do in an exploration where every process has one: at any moment of their time they turn their node off, for good, or give up. An agent goes on where the process that
 * started it is gone.
 */
final class PowerSwitch {
    private static final Duration BOUND = Duration.ofSeconds(1);

    private PowerSwitch() {}

    /** The setup of a process whose node is called as it is. */
    static Setup connected(Bounds bounds, Candidate who, Setup setup) {
        NodeBoot on = new NodeBoot(who.name(), "1", "p");
        return bounds.may().contains(Fault.STONITH) ? setup.withStonith(new StonithSetup(on, BOUND)) : setup;
    }

    /** Is that an agent whose time has not passed? */
    static boolean mayStillTurnOff(Effect effect) {
        return effect instanceof Effect.FenceHolder fence && fence.untilNanos() >= 0;
    }

    /** The same, so many seconds later. */
    static Effect aged(Effect effect, int seconds) {
        return effect instanceof Effect.FenceHolder fence
                ? new Effect.FenceHolder(fence.holder(), Math.max(-1, fence.untilNanos() - seconds * Worlds.SECOND))
                : effect;
    }

    /** The agent turns the node off: whoever runs there is gone. */
    static Event turnsOff(Now then, Effect.FenceHolder fence) {
        for (int i = 0; i < then.all.size(); i++) {
            Peer peer = then.peer(i);
            boolean isThere = then.candidate(i).id().equals(fence.holder().candidate());
            if (isThere && !peer.gone()) {
                then.require(peer.task() <= fence.holder().term(), "NobodyTurnsOffWhoCameAfter");
                then.set(i, peer.killed());
            }
        }
        HolderProof off = new HolderProof(HolderProof.Kind.OFF, "agent", "", Instant.EPOCH);
        return new Event.HolderFenced(fence.holder().term(), off);
    }

    /** Whoever begins is the only one whose task runs. */
    static void begins(Now then, Bounds bounds, int i) {
        for (int j = 0; bounds.may().contains(Fault.STONITH) && j < then.all.size(); j++) {
            then.require(j == i || then.peer(j).task() == 0, "NobodyBeginsBesideAHolder");
        }
    }

    /** What may become of an agent that works; true if the question is one. */
    static boolean works(Happening happening, int i, Peer peer, Ask ask) {
        if (!(ask.effect() instanceof Effect.FenceHolder fence)) {
            return false;
        }
        List<Ask> others = new ArrayList<>(peer.asks());
        others.remove(ask);
        if (mayStillTurnOff(fence)) {
            happening.to(() -> Line.of(fence) + " is done", then -> {
                then.set(i, then.peer(i).asking(List.copyOf(others)));
                Event answer = turnsOff(then, fence);
                then.step(i, answer);
            });
        }
        happening.to(() -> Line.of(fence) + " fails", then -> {
            then.set(i, then.peer(i).asking(List.copyOf(others)));
            then.step(i, new Event.HolderUnfenced(fence.holder().term(), "it failed"));
        });
        return true;
    }
}
