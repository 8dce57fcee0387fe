package dev.incumbent.simulation;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds of terms and of those who lead them. Each is a class named as its sentence. */
final class TermInvariants {
    private TermInvariants() {}

    /** Whatever the clocks do. */
    static final class OneLeaderPerTerm extends Inspector {
        private final Map<ElectionName, Map<Long, CandidateId>> leaders = new LinkedHashMap<>();

        OneLeaderPerTerm(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            CandidateId other = leaders.computeIfAbsent(begun.election(), e -> new LinkedHashMap<>())
                    .putIfAbsent(begun.term(), begun.leader());
            if (other != null && !other.equals(begun.leader())) {
                violated("term " + begun.term() + " of " + begun.election() + " is led by " + other + " and by "
                        + begun.leader());
            }
        }
    }

    /** Whatever the clocks do, also after a restore while the sinks remember. */
    static final class TermsNeverRepeat extends Inspector {
        private final Map<ElectionName, Set<Long>> terms = new LinkedHashMap<>();

        TermsNeverRepeat(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            if (!terms.computeIfAbsent(begun.election(), e -> new LinkedHashSet<>())
                    .add(begun.term())) {
                violated("term " + begun.term() + " of " + begun.election() + " begins again, with " + begun.leader());
            }
        }
    }

    /** On true time; only where clocks keep within their bound, nobody preempts and the store forgets nothing. */
    static final class NoLeaderBeyondItsLease extends Inspector implements Onlooker {
        NoLeaderBeyondItsLease(World world) {
            super(world);
        }

        @Override
        public void believed(List<Belief> beliefs) {
            if (!world().profile().timely()) {
                return;
            }
            for (int i = 0; i < beliefs.size(); i++) {
                Belief belief = beliefs.get(i);
                if (!belief.named() || !belief.record().leaseAlive()) {
                    unbacked(belief.player(), belief.record());
                }
            }
        }

        private void unbacked(Player player, ObservedRecord record) {
            violated(player.candidate().id() + " believes to lead term "
                    + player.believed() + ", but the store has term "
                    + record.record().term() + " of " + record.record().leader() + ", lease alive "
                    + record.leaseAlive());
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
                for (Player player : node.players()) {
                    if (player.election().equals(election)
                            && before.record()
                                    .leader()
                                    .filter(player.candidate()::equals)
                                    .isPresent()) {
                        player.task()
                                .filter(task -> task.isWaitedFor()
                                        && task.term().number()
                                                == before.record().term())
                                .ifPresent(task ->
                                        violated("term " + before.record().term() + " of " + election
                                                + " is vacated while its task runs, and nothing fences it"));
                    }
                }
            }
        }
    }

    /** Whoever the record names no more, or tells to be frozen, believes for a lease at the most, by what its guard says to remain. */
    static final class SupersededStopsInTime extends Inspector implements Onlooker {
        private final Map<Player, Long> since = new LinkedHashMap<>();

        SupersededStopsInTime(World world) {
            super(world);
        }

        @Override
        public void believed(List<Belief> beliefs) {
            boolean all = true;
            for (int i = 0; i < beliefs.size(); i++) {
                all &= mayLead(beliefs.get(i));
            }
            if (!all) {
                superseded(beliefs);
            } else if (!since.isEmpty()) {
                since.clear();
            }
        }

        private static boolean mayLead(Belief belief) {
            return belief.named() && !belief.record().record().isFrozen();
        }

        private void superseded(List<Belief> beliefs) {
            Map<Player, Long> before = new LinkedHashMap<>(since);
            since.clear();
            for (Belief belief : beliefs) {
                if (!mayLead(belief)) {
                    long from = before.getOrDefault(belief.player(), world().now());
                    since.put(belief.player(), from);
                    if (belief.player().guardEnds() - from > world().profile().leaseNanos()) {
                        violated(belief.player().candidate() + " was superseded "
                                + (world().now() - from) / 1_000_000 + " ms ago, and believes until "
                                + (belief.player().guardEnds() - from) / 1_000_000 + " ms after that");
                    }
                }
            }
        }
    }

    /** Begin and end alternate for each process and election, and terms grow. */
    static final class CallbacksArePaired extends Inspector {
        private record Who(CandidateId id, ElectionName election) {}

        private final Map<Who, Begun> open = new LinkedHashMap<>();
        private final Map<Who, Long> last = new LinkedHashMap<>();

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

        private final Map<String, Deque<Long>> claims = new LinkedHashMap<>();

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
}
