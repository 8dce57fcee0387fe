package dev.incumbent.protocol;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One situation of a few processes, their coordinator and its sink: a value. Now is 0; what was before is negative, in seconds. */
record World(Interner.One<TinyStore> store, Interner.One<Ledger> ledger, List<Interner.One<Peer>> peers) {
    /** No keep-alive is under way. */
    static final int NONE = 1;

    /** What a process has asked, when, and what was answered if it was done already. */
    record Ask(Effect effect, int at, Optional<Event> answer) {
        /** What it is told where it hears no answer. */
        Event unanswered() {
            if (effect instanceof Effect.SwapRecord swap) {
                return new Event.SwapUncertain(swap.next().nonce());
            } else if (effect instanceof Effect.RaiseMark raise) {
                return new Event.MarkUnraised(raise.sink(), raise.mark(), "no answer");
            }
            return effect instanceof Effect.ReadMark read
                    ? new Event.MarkUnread(read.sink(), "no answer", at * Worlds.SECOND)
                    : new Event.RecordUnread("no answer");
        }
    }

    /**
     * One process.
     *
     * @param late what it has given up waiting for, and may still be done
     * @param task the term whose task runs; 0 for none
     * @param told the term whose beginning was told, and its end not yet; 0 for none
     * @param keepAlive when the keep-alive under way was sent; {@link #NONE} for none
     * @param lease the number of its lease
     */
    record Peer(
            ElectionState state,
            List<Ask> asks,
            List<Effect> late,
            long task,
            long told,
            int keepAlive,
            int lease,
            boolean gone) {
        /** Has it itself heard the leader of that record in its term? */
        boolean hasHeard(LeaderRecord record) {
            return record.leader()
                    .filter(leader -> state.memory().terms().heard().is(leader.id(), record.term()))
                    .isPresent();
        }

        Peer with(ElectionState next, List<Ask> nowAsks) {
            return new Peer(next, nowAsks, late, task, told, keepAlive, lease, gone);
        }

        Peer asking(List<Ask> nowAsks) {
            return with(state, nowAsks);
        }

        Peer late(List<Effect> nowLate) {
            return new Peer(state, asks, nowLate, task, told, keepAlive, lease, gone);
        }

        Peer running(long nowTask, long nowTold) {
            return new Peer(state, asks, late, nowTask, nowTold, keepAlive, lease, gone);
        }

        Peer keepingAlive(int sentAt) {
            return new Peer(state, asks, late, task, told, sentAt, lease, gone);
        }

        Peer leasing(int number) {
            return new Peer(state, asks, late, task, told, NONE, number, gone);
        }

        /** Killed: what it had asked is under way all the same. */
        Peer killed() {
            List<Effect> underWay = new ArrayList<>(late);
            asks.stream()
                    .filter(a -> a.answer().isEmpty())
                    .map(Ask::effect)
                    .filter(World::canBeLate)
                    .forEach(underWay::add);
            return new Peer(ElectionState.START, List.of(), underWay, 0, 0, NONE, lease, true);
        }
    }

    /** When each lease may die at the earliest; which terms have begun, by whom; how much has gone wrong; what an operator has done. */
    record Ledger(
            Map<LeaseId, Integer> ends,
            List<String> begun,
            long greatestBegun,
            int faults,
            long frozenAt,
            Optional<LeaderRecord> backup) {
        Ledger renewed(LeaseId lease, int until) {
            Map<LeaseId, Integer> all = new TreeMap<>(ends);
            all.put(lease, until);
            return new Ledger(Map.copyOf(all), begun, greatestBegun, faults, frozenAt, backup);
        }

        Ledger aged() {
            Map<LeaseId, Integer> all = new TreeMap<>(ends);
            all.replaceAll((lease, end) -> Math.max(0, end - 1));
            return new Ledger(Map.copyOf(all), begun, greatestBegun, faults, frozenAt, backup);
        }

        Ledger begins(long term, String who) {
            List<String> all = new ArrayList<>(begun);
            all.add(term + " " + who);
            return new Ledger(ends, List.copyOf(all), Math.max(greatestBegun, term), faults, frozenAt, backup);
        }

        Ledger oneMoreFault() {
            return new Ledger(ends, begun, greatestBegun, faults + 1, frozenAt, backup);
        }

        Ledger backup(LeaderRecord record) {
            return new Ledger(ends, begun, greatestBegun, faults, frozenAt, Optional.of(record));
        }

        Ledger frozenAt(long number) {
            return new Ledger(ends, begun, greatestBegun, faults, number, backup);
        }
    }

    static boolean canBeLate(Effect effect) {
        return effect instanceof Effect.SwapRecord
                || effect instanceof Effect.RaiseMark
                || effect instanceof Effect.FenceHolder;
    }

    /** May what is late still change anything? A revision comes again only where a backup is restored. */
    static boolean canStillDo(Effect effect, TinyStore store, boolean restores) {
        if (effect instanceof Effect.SwapRecord swap) {
            return store.accepts(swap.expected()) || restores;
        }
        return effect instanceof Effect.RaiseMark raise
                ? store.passes(raise.sink(), raise.mark())
                        && !store.mark(raise.sink()).equals(Optional.of(raise.mark()))
                : PowerSwitch.mayStillTurnOff(effect);
    }
}
