package dev.incumbent.simulation;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The invariants of the design, each a class named as its sentence. */
final class Invariants {
    private static final int FEW_LEASES = 4;

    private Invariants() {}

    static List<Inspector> all(World world) {
        return List.of(
                new OneLeaderPerTerm(world),
                new TermsNeverRepeat(world),
                new NoLeaderBeyondItsLease(world),
                new SinksAdmitInTermOrder(world),
                new NothingStaleAfterTheRaise(world),
                new NoUnfencedVacancyWhileTheTaskRuns(world),
                new OnlyTheOwnerEndsItsTerm(world),
                new NobodyLeadsOnceFrozen(world),
                new OnlyAThawPassesAFreeze(world),
                new SupersededStopsInTime(world),
                new CallbacksArePaired(world),
                new NobodySpinsTheStore(world),
                new SomeoneLeadsOnceFaultsCease(world),
                new SinksTakeItsWrites(world),
                new NoCandidacyIsStuck(world));
    }

    private record AtSink(SinkModel sink, ElectionName election) {}

    /** Whatever the clocks do. */
    static final class OneLeaderPerTerm extends Inspector {
        private final Map<ElectionName, Map<Long, CandidateId>> leaders = new HashMap<>();

        OneLeaderPerTerm(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            CandidateId other = leaders.computeIfAbsent(begun.election(), e -> new HashMap<>())
                    .putIfAbsent(begun.term(), begun.leader());
            if (other != null && !other.equals(begun.leader())) {
                violated("term " + begun.term() + " of " + begun.election() + " is led by " + other + " and by "
                        + begun.leader());
            }
        }
    }

    /** Whatever the clocks do, also after a restore while the sinks remember. */
    static final class TermsNeverRepeat extends Inspector {
        private final Map<ElectionName, Set<Long>> terms = new HashMap<>();

        TermsNeverRepeat(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            if (!terms.computeIfAbsent(begun.election(), e -> new HashSet<>()).add(begun.term())) {
                violated("term " + begun.term() + " of " + begun.election() + " begins again, with " + begun.leader());
            }
        }
    }

    /** On true time; only where clocks keep within their bound, nobody preempts and the store forgets nothing. */
    static final class NoLeaderBeyondItsLease extends Inspector {
        NoLeaderBeyondItsLease(World world) {
            super(world);
        }

        @Override
        void afterEvent() {
            if (!world().profile().timely()) {
                return;
            }
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    if (player.guardHolds()) {
                        backed(player);
                    }
                }
            }
        }

        private void backed(Player player) {
            ObservedRecord record = world().record(player.setup().election());
            long term = player.state().tenure().orElseThrow().term().number();
            CandidateId me = player.node().candidate().id();
            if (!record.record().names(me, term) || !record.leaseAlive()) {
                violated(me + " believes to lead term " + term + ", but the store has term "
                        + record.record().term() + " of " + record.record().leader() + ", lease alive "
                        + record.leaseAlive());
            }
        }
    }

    /** What a sink admits bears tokens that never go down, whatever the clocks do. */
    static final class SinksAdmitInTermOrder extends Inspector {
        private final Map<AtSink, Long> top = new HashMap<>();

        SinksAdmitInTermOrder(World world) {
            super(world);
        }

        @Override
        void wentBack(SinkModel sink) {
            top.keySet().removeIf(key -> key.sink() == sink);
        }

        @Override
        void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
            Long before = top.put(new AtSink(sink, election), token.value());
            if (before != null && before > token.value()) {
                violated(sink.id() + " admits token " + token + " of " + election + " after " + before);
            }
        }
    }

    /** Once a term has begun (perhaps before an older one hears that it may), no sink admits what an older one sent; but for a sink that went back, until it is raised again. */
    static final class NothingStaleAfterTheRaise extends Inspector {
        private final Map<ElectionName, Begun> latest = new HashMap<>();
        private final Set<AtSink> back = new HashSet<>();

        NothingStaleAfterTheRaise(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            latest.merge(begun.election(), begun, (before, now) -> now.term() < before.term() ? before : now);
        }

        @Override
        void wentBack(SinkModel sink) {
            world().elections().forEach(election -> back.add(new AtSink(sink, election)));
        }

        @Override
        void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {
            Begun last = latest.get(election);
            if (last == null || after.token().value() >= last.term()) {
                back.remove(new AtSink(sink, election));
            }
        }

        @Override
        void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
            Begun last = latest.get(election);
            if (last == null || back.contains(new AtSink(sink, election))) {
                return;
            }
            if (begun < last.index() || token.value() < last.term()) {
                violated(sink.id() + " admits token " + token + " of " + election + " after term " + last.term()
                        + " has begun");
            }
        }
    }

    /** A live term of an unfenced election is not vacated while its task runs. */
    static final class NoUnfencedVacancyWhileTheTaskRuns extends Inspector {
        NoUnfencedVacancyWhileTheTaskRuns(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            boolean vacated = before.leaseAlive() && after.record().leader().isEmpty();
            if (!vacated || !world().sinks().isEmpty()) {
                return;
            }
            for (Node node : world().nodes()) {
                node.player(election)
                        .filter(player -> before.record()
                                .leader()
                                .filter(l -> l.id().equals(node.candidate().id()))
                                .isPresent())
                        .flatMap(Player::task)
                        .filter(task -> task.term().number() == before.record().term())
                        .ifPresent(task -> violated("term " + before.record().term() + " of " + election
                                + " is vacated while its task runs, and nothing fences it"));
            }
        }
    }

    /** From the moment a freeze is quiet until a thaw begins. */
    static final class NobodyLeadsOnceFrozen extends Inspector {
        private final Set<ElectionName> quiet = new HashSet<>();

        NobodyLeadsOnceFrozen(World world) {
            super(world);
        }

        @Override
        void quiet(ElectionName election) {
            quiet.add(election);
        }

        @Override
        void thawing(ElectionName election) {
            quiet.remove(election);
        }

        @Override
        void begun(Begun begun) {
            if (quiet.contains(begun.election())) {
                violated("term " + begun.term() + " of " + begun.election() + " begins while it is frozen and quiet");
            }
        }

        @Override
        void afterEvent() {
            if (quiet.isEmpty()) {
                return;
            }
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    if (quiet.contains(player.setup().election()) && player.guardHolds()) {
                        violated(node.candidate() + " believes to lead "
                                + player.setup().election() + " while it is quiet");
                    }
                }
            }
        }
    }

    /** A mark that a freeze owns is passed by a freeze or a thaw alone, and only a thaw clears the flag. */
    static final class OnlyAThawPassesAFreeze extends Inspector {
        OnlyAThawPassesAFreeze(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            boolean cleared = before.record().isFrozen() && !after.record().isFrozen();
            if (cleared && !after.record().nonce().startsWith(SimulatedOperator.NAME)) {
                violated("the flag of " + election + " is cleared by "
                        + after.record().nonce());
            }
        }

        @Override
        void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {
            boolean frozen =
                    before.filter(m -> m.owner() instanceof MarkOwner.OfFreeze).isPresent();
            boolean may = after.owner() instanceof MarkOwner.OfFreeze || after.owner() instanceof MarkOwner.OfThaw;
            if (frozen && !may) {
                violated(after + " passes the freeze's " + before.orElseThrow() + " at " + sink.id());
            }
        }
    }

    /** Whoever the record names no more believes for a lease at the most. */
    static final class SupersededStopsInTime extends Inspector {
        private final Map<Player, Long> since = new HashMap<>();

        SupersededStopsInTime(World world) {
            super(world);
        }

        @Override
        void afterEvent() {
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    if (player.guardHolds() && !isNamed(player)) {
                        long from = since.computeIfAbsent(player, p -> world().now());
                        if (world().now() - from > world().profile().leaseNanos()) {
                            violated(node.candidate() + " has been superseded for more than a lease, and believes");
                        }
                    } else {
                        since.remove(player);
                    }
                }
            }
        }

        private boolean isNamed(Player player) {
            long term = player.state().tenure().orElseThrow().term().number();
            return world().record(player.setup().election())
                    .record()
                    .names(player.node().candidate().id(), term);
        }
    }

    /** Begin and end alternate for each process and election, and terms grow. */
    static final class CallbacksArePaired extends Inspector {
        private record Who(CandidateId id, ElectionName election) {}

        private final Map<Who, Begun> open = new HashMap<>();
        private final Map<Who, Long> last = new HashMap<>();

        CallbacksArePaired(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            Who who = new Who(begun.leader(), begun.election());
            if (open.put(who, begun) != null) {
                violated(who + " begins term " + begun.term() + " before the one before has ended");
            }
            Long before = last.put(who, begun.term());
            if (before != null && before >= begun.term()) {
                violated(who + " begins term " + begun.term() + " after term " + before);
            }
        }

        @Override
        void ended(Begun begun, EndReason reason) {
            if (open.remove(new Who(begun.leader(), begun.election()), begun)) {
                return;
            }
            violated("term " + begun.term() + " of " + begun.election() + " ends twice, or did not begin");
        }
    }

    /** No process claims one election more than a few times within a lease, whatever fails at once. */
    static final class NobodySpinsTheStore extends Inspector {
        private static final int MOST_CLAIMS = 9;

        private final Map<String, Deque<Long>> claims = new HashMap<>();

        NobodySpinsTheStore(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            LeaderRecord record = after.record();
            if (record.leader().isEmpty() || record.term() <= before.record().term()) {
                return;
            }
            String who = record.leader().get().id() + " in " + election;
            Deque<Long> lately = claims.computeIfAbsent(who, w -> new ArrayDeque<>());
            lately.addLast(world().now());
            if (lately.size() > MOST_CLAIMS
                    && world().now() - lately.removeFirst() < world().profile().leaseNanos()) {
                violated(who + " has claimed " + (MOST_CLAIMS + 1) + " times within a lease");
            }
        }
    }

    /** Some time after faults have ceased somebody leads each election, and the store says so; but for a few leases, for messages may always be late. */
    static final class SomeoneLeadsOnceFaultsCease extends Inspector {
        private final Map<ElectionName, Long> led = new HashMap<>();

        SomeoneLeadsOnceFaultsCease(World world) {
            super(world);
        }

        @Override
        void afterEvent() {
            if (world().faults().haveCeased()) {
                for (ElectionName election : world().elections()) {
                    leader(world(), election).ifPresent(leader -> led.put(election, world().now()));
                }
            }
        }

        @Override
        void afterFaultsCeased() {
            for (ElectionName election : world().elections()) {
                if (world().now() - led.getOrDefault(election, 0L)
                        > FEW_LEASES * world().profile().leaseNanos()) {
                    violated("nobody leads " + election + "; the record is " + world().record(election));
                }
            }
        }

        static Optional<Player> leader(World world, ElectionName election) {
            return world.nodes().stream()
                    .flatMap(node -> node.player(election).stream())
                    .filter(Player::guardHolds)
                    .filter(player -> world.record(election)
                            .record()
                            .names(
                                    player.node().candidate().id(),
                                    player.state().tenure().orElseThrow().term().number()))
                    .findFirst();
        }
    }

    /** … and every sink has taken its writes lately. */
    static final class SinksTakeItsWrites extends Inspector {
        private final Map<AtSink, Long> lastAt = new HashMap<>();
        private final Map<AtSink, Long> lastToken = new HashMap<>();

        SinksTakeItsWrites(World world) {
            super(world);
        }

        @Override
        void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
            lastAt.put(new AtSink(sink, election), world().now());
            lastToken.put(new AtSink(sink, election), token.value());
        }

        @Override
        void afterFaultsCeased() {
            long since = world().now() - 2 * world().profile().leaseNanos();
            for (ElectionName election : world().elections()) {
                for (SinkModel sink : world().sinks()) {
                    AtSink key = new AtSink(sink, election);
                    if (lastAt.getOrDefault(key, 0L) < since) {
                        violated(sink.id() + " has taken no write of " + election + " for two leases; last token "
                                + lastToken.get(key) + ", its mark is " + sink.mark(election));
                    }
                }
            }
        }
    }

    /** … and everybody else who could stands in line, or has done so a few leases ago. */
    static final class NoCandidacyIsStuck extends Inspector {
        private final Map<Player, Long> stood = new HashMap<>();

        NoCandidacyIsStuck(World world) {
            super(world);
        }

        @Override
        void afterEvent() {
            if (world().faults().haveCeased()) {
                for (Node node : world().nodes()) {
                    for (Player player : node.players()) {
                        if (stands(player)) {
                            stood.put(player, world().now());
                        }
                    }
                }
            }
        }

        @Override
        void afterFaultsCeased() {
            for (Node node : world().nodes()) {
                if (node.isUp() && !world().faults().isBroken(node)) {
                    node.players().forEach(this::stoodLately);
                }
            }
        }

        private static boolean stands(Player player) {
            Role role = player.state().role();
            return role == Role.CANDIDATE || role == Role.LEADER;
        }

        private void stoodLately(Player player) {
            if (world().now() - stood.getOrDefault(player, 0L)
                    > FEW_LEASES * world().profile().leaseNanos()) {
                violated(player.node().candidate() + " is " + player.state().role() + " in "
                        + player.setup().election() + " long after faults have ceased");
            }
        }
    }
}
