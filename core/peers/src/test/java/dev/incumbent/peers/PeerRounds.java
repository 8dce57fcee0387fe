package dev.incumbent.peers;

import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** A group of a bully or a ring in virtual time, in which each message takes a millisecond: as the protocols assume, unless it is cut. */
final class PeerRounds<S, M> {
    static final long MILLI = 1_000_000;

    /** A message under way. */
    private record Letter<M>(MemberId from, MemberId to, M message, long at) {}

    private final List<MemberId> ring;
    private final PeerMachine.Kind<S, M> kind;
    private final Map<MemberId, S> states = new TreeMap<>();
    private final Map<MemberId, Long> wakes = new TreeMap<>();
    private final Deque<Letter<M>> letters = new ArrayDeque<>();
    private final List<M> sent = new ArrayList<>();
    private final Set<MemberId> leaders = new TreeSet<>();
    private final Set<MemberId> cutOff = new TreeSet<>();
    private long now;

    PeerRounds(PeerMachine.Kind<S, M> kind, List<MemberId> ring) {
        this.kind = kind;
        this.ring = ring;
    }

    /** All members started, and one of them leads. */
    static <S, M> PeerRounds<S, M> settled(PeerMachine.Kind<S, M> kind, List<MemberId> ring) {
        PeerRounds<S, M> rounds = new PeerRounds<>(kind, ring);
        ring.forEach(rounds::start);
        rounds.run(150 * MILLI);
        return rounds;
    }

    long now() {
        return now;
    }

    long wakeOf(MemberId member) {
        return wakes.getOrDefault(member, Long.MAX_VALUE);
    }

    Map<MemberId, S> states() {
        return states;
    }

    Set<MemberId> leaders() {
        return leaders;
    }

    /** All that was sent since it was asked last. */
    List<M> sent() {
        List<M> copy = List.copyOf(sent);
        sent.clear();
        return copy;
    }

    void start(MemberId member) {
        states.put(member, kind.start());
        step(member, new PeerEvent.Started<>());
    }

    void crash(MemberId member) {
        states.remove(member);
        wakes.remove(member);
        leaders.remove(member);
    }

    /** Those and all others hear each other no more. */
    void cut(Set<MemberId> side) {
        cutOff.clear();
        cutOff.addAll(side);
    }

    void heal() {
        cutOff.clear();
    }

    /** A member whose clock runs ahead of the others': it misses its leader now. */
    void hasten(MemberId member, UnaryOperator<S> hastened) {
        states.computeIfPresent(member, (id, state) -> hastened.apply(state));
        step(member, new PeerEvent.Woken<>());
    }

    /** Lets so much time pass. */
    void run(long nanos) {
        long until = now + nanos;
        while (true) {
            long wake = wakes.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
            long arrival =
                    letters.isEmpty() ? Long.MAX_VALUE : letters.element().at();
            if (Math.min(wake, arrival) > until) {
                now = until;
                return;
            }
            now = Math.min(wake, arrival);
            if (arrival <= wake) {
                deliver(letters.remove());
            } else {
                wakes.entrySet().stream()
                        .filter(entry -> entry.getValue() <= now)
                        .map(Map.Entry::getKey)
                        .toList()
                        .forEach(member -> step(member, new PeerEvent.Woken<>()));
            }
        }
    }

    private void deliver(Letter<M> letter) {
        if (states.containsKey(letter.to()) && cutOff.contains(letter.from()) == cutOff.contains(letter.to())) {
            step(letter.to(), new PeerEvent.Received<>(letter.from(), letter.message()));
        }
    }

    private void step(MemberId member, PeerEvent<M> event) {
        PeerMachine<S, M> machine = kind.machine().apply(new PeerGroup(member, ring));
        Step<S, PeerEffect<M>> step = machine.step(stateOf(member), event, new Moment(now, 0));
        states.put(member, step.state());
        wakes.put(member, Math.max(step.wakeAtNanos(), now + 1));
        for (PeerEffect<M> effect : step.effects()) {
            if (effect instanceof PeerEffect.Send<M> send) {
                sent.add(send.message());
                letters.add(new Letter<>(member, send.to(), send.message(), now + MILLI));
            } else if (effect instanceof PeerEffect.BeginLeading<M>) {
                leaders.add(member);
            } else if (effect instanceof PeerEffect.StopLeading<M>) {
                leaders.remove(member);
            }
        }
    }

    private S stateOf(MemberId member) {
        return states.getOrDefault(member, kind.start());
    }
}
