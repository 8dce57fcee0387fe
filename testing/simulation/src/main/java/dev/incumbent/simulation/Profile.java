package dev.incumbent.simulation;

import dev.incumbent.simulation.Fault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one seed draws before its world begins: how many processes and sinks, which faults and how often, how long. Swarm testing by Groce et al.: each world
 * leaves most kinds of fault out, so that the others meet in ways that a global mix hides.
 *
 * @param asked is every other candidacy led without a task, by asking its guard
 * @param timely clocks keep within their bound and the store forgets nothing: then, and only then, belief is exclusive
 */
public record Profile(
        long seed,
        int nodes,
        int sinks,
        long leaseNanos,
        long latencyNanos,
        long horizonNanos,
        long faultEveryNanos,
        Set<Kind> kinds,
        boolean asked,
        boolean timely) {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final Set<Kind> UNTIMELY = EnumSet.of(
            Kind.STORE_RESTORED,
            Kind.STORE_CLOCK_FORWARD,
            Kind.LEASES_LOST,
            Kind.SUSPECT,
            Kind.PREEMPTED_UNHEARD,
            Kind.HEARD);

    /** Nobody is preempted where others are turned off, and a store that goes back forgets who may still act. */
    private static final Set<Kind> WITHOUT_STONITH =
            EnumSet.of(Kind.STORE_RESTORED, Kind.SUSPECT, Kind.PREEMPTED_UNHEARD, Kind.HEARD);

    private static final List<Kind> LATEST = List.of(
            Kind.PREEMPTED_UNHEARD,
            Kind.HEARD,
            Kind.CORDON,
            Kind.PRIORITY,
            Kind.PLANNED_TRANSFER,
            Kind.MOVES,
            Kind.STONITH,
            Kind.CALLED_TWICE);

    /** What that seed draws. */
    public static Profile of(long seed) {
        return of(seed, LATEST);
    }

    /** What that seed draws where those are the kinds that came last. */
    static Profile of(long seed, List<Kind> latest) {
        Draws draws = new Draws(Draws.mix(seed, 77), 1);
        int nodes = (int) draws.between(0, 2, 4);
        int sinks = draws.oneIn(0, 6) ? 0 : (int) draws.between(0, 1, 2);
        long lease = draws.between(0, 3, 15) * SECOND;
        long latency = draws.between(0, 1, 40) * MILLI;
        long faultEvery = lease * draws.between(0, 1, 12) / 4;
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (Kind kind : EnumSet.range(Kind.PAUSE, Kind.FAILING_TASKS)) {
            if (draws.oneIn(0, 3)) {
                kinds.add(kind);
            }
        }
        boolean wantsAsked = draws.oneIn(0, 3);
        addLater(kinds, new Draws(Draws.mix(seed, 79), 1));
        addLatest(kinds, seed, latest);
        settle(kinds, sinks);
        boolean asked = wantsAsked && !kinds.contains(Kind.STONITH);
        boolean timely = kinds.stream().noneMatch(UNTIMELY::contains);
        return new Profile(seed, nodes, sinks, lease, latency, 60 * lease, faultEvery, kinds, asked, timely);
    }

    /** Kinds that came later draw for themselves, so that what older seeds drew stays as it was. */
    private static void addLater(Set<Kind> kinds, Draws draws) {
        for (Kind kind : EnumSet.range(Kind.SUSPEND, Kind.CLOSE_ALL)) {
            if (draws.oneIn(0, 4)) {
                kinds.add(kind);
            }
        }
    }

    /** Kinds that came later still: each has draws of its own, so that one more changes none of the others. */
    private static void addLatest(Set<Kind> kinds, long seed, List<Kind> latest) {
        for (int i = 0; i < latest.size(); i++) {
            if (new Draws(Draws.mix(seed, 1_044 + i), 1).oneIn(0, rarity(latest.get(i)))) {
                kinds.add(latest.get(i));
            }
        }
    }

    /** Worlds whose processes hear each other take long, for they beat. */
    private static int rarity(Kind kind) {
        return kind == Kind.HEARD ? 64 : 6;
    }

    /** Is a leader suspected without a reason? */
    boolean isSuspectedAtWill() {
        return kinds.contains(Kind.SUSPECT) || kinds.contains(Kind.PREEMPTED_UNHEARD);
    }

    /** Do its processes hear each other beside the store? */
    boolean isHeard() {
        return kinds.contains(Kind.HEARD);
    }

    /** Is whoever may still act turned off before a term begins? */
    boolean isTurnedOff() {
        return kinds.contains(Kind.STONITH);
    }

    /** After how long do its leaders hand over to a better rank? Never, in most worlds. */
    Optional<Duration> movesAfter() {
        return kinds.contains(Kind.MOVES) ? Optional.of(Duration.ofNanos(2 * leaseNanos)) : Optional.empty();
    }

    /** Do its processes tell how many elections they lead? It has a draw of its own, so that worlds in which they do not stay as they were. Where leaders are heard, another order would hide what only silences show. */
    boolean spreads() {
        return !isHeard() && new Draws(Draws.mix(seed, 2_042), 1).oneIn(0, 6);
    }

    /** Do its processes bring one sink more when they start again than before? */
    boolean isRolling() {
        return kinds.contains(Kind.ROLLING);
    }

    /** Leaves out what no protocol can bear: store and sinks going back together, a restore without a sink that remembers, preempting the unfenced. */
    private static void settle(Set<Kind> kinds, int sinks) {
        if (sinks == 0) {
            kinds.removeAll(EnumSet.of(
                    Kind.STORE_RESTORED,
                    Kind.SUSPECT,
                    Kind.SINK_BACK,
                    Kind.LEASES_LOST,
                    Kind.TYPO,
                    Kind.PREEMPTED_UNHEARD));
        }
        if (kinds.stream().anyMatch(WITHOUT_STONITH::contains)) {
            kinds.remove(Kind.STONITH);
        }
        if (kinds.contains(Kind.HEARD)) {
            // Restarts with another priority, and terms that end for a call, would hide what only silences show.
            kinds.removeAll(EnumSet.of(Kind.SUSPECT, Kind.PREEMPTED_UNHEARD, Kind.PRIORITY, Kind.CALLED_TWICE));
        }
        if (sinks < 2) {
            kinds.remove(Kind.ROLLING);
        }
        if (kinds.contains(Kind.ROLLING)) {
            kinds.removeAll(EnumSet.of(Kind.STORE_RESTORED, Kind.FREEZE, Kind.SINK_BACK));
        }
        if (kinds.contains(Kind.STORE_RESTORED)) {
            kinds.remove(Kind.SINK_BACK);
        }
        if (kinds.contains(Kind.SINK_BACK)) {
            kinds.remove(Kind.FREEZE);
        }
    }

    /** The faults of its safety phase: data, in order of time. */
    public List<Fault> plan() {
        List<Fault> faults = new ArrayList<>();
        if (kinds.isEmpty()) {
            return faults;
        }
        List<Kind> all = List.copyOf(new ArrayList<>(kinds));
        Draws draws = new Draws(Draws.mix(seed, 78), 1);
        long at = leaseNanos / 2;
        while (at < horizonNanos) {
            Kind kind = all.get((int) draws.below(0, all.size()));
            long length = leaseNanos * draws.between(0, 1, 12) / 5;
            faults.add(new Fault(at, kind, (int) draws.below(0, nodes), length, draws.below(0, 1_000)));
            at += draws.between(0, faultEveryNanos / 10, 2 * faultEveryNanos);
        }
        return faults;
    }
}
