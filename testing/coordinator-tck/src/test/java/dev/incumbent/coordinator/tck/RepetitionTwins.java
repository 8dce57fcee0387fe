package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Twins that do more, or less, or something else if they are asked twice. */
final class RepetitionTwins {
    private RepetitionTwins() {}

    static Stream<Twin> all() {
        return Stream.of(candidates(), leases(), answers()).flatMap(twins -> twins);
    }

    private static Stream<Twin> candidates() {
        return Stream.of(
                Twin.of(
                        "who enlists twice at once stands twice",
                        StandsTwice::dress,
                        "Repetitions.whoEnlistsTwiceAtOnceStandsOnce"),
                Twin.of(
                        "a second withdrawal takes whoever stands first",
                        TakesTheNext::dress,
                        "Repetitions.aWithdrawalMadeTwiceAtOnceTakesOneCandidate"),
                Twin.of(
                        "withdrawing who does not stand fails",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
                                return honest.candidates(Set.of(election))
                                        .thenCompose(lists -> stands(lists.getOrDefault(election, List.of()), candidate)
                                                ? honest.withdraw(election, candidate)
                                                : CompletableFuture.failedStage(
                                                        new CoordinatorException("does not stand", false)));
                            }
                        },
                        "Repetitions.withdrawingWhoNeverEnlistedIsDone",
                        "Candidates.whoWithdrawsAndEnlistsAgainGoesToTheEnd"));
    }

    private static Stream<Twin> leases() {
        return Stream.of(
                Twin.of(
                        "of clients that come first all at once, one alone may prepare the store",
                        PreparedByOne::dress,
                        "Repetitions.clientsThatComeFirstAllAtOnceTakePart"),
                Twin.of(
                        "a second revoke under way fails",
                        RevokesOnce::dress,
                        "Repetitions.aRevokingMadeTwiceAtOnceIsDoneBothTimes"),
                Twin.of(
                        "a keep-alive under way outlives a revoke",
                        () -> (honest, time) -> new OutlivesItsRevoke(honest),
                        "Repetitions.aLeaseRevokedWhileItIsKeptAliveIsDead"),
                Twin.of(
                        "two grants at once give one lease",
                        () -> (honest, time) -> new OneAnswerForTwo(honest),
                        "Repetitions.ofTwoGrantsAtOnceEachGivesALeaseOfItsOwn"),
                Twin.of(
                        "keep-alives at once share their answer",
                        () -> (honest, time) -> new OneAnswerForTwo(honest),
                        "Repetitions.ofTwoKeepAlivesAtOnceOneMayTellThatItsLeaseIsLost"));
    }

    private static Stream<Twin> answers() {
        return Stream.of(
                Twin.of(
                        "the second of two same swaps is told as refused",
                        RefusesTheSecond::dress,
                        "Repetitions.aSwapSentTwiceAtOnceIsAcceptedBothTimes",
                        "Records.aRefusalThatFindsMyOwnNonceIsAccepted"),
                Twin.of(
                        "reads at once share their answers",
                        () -> (honest, time) -> new OneAnswerForTwo(honest),
                        "Repetitions.readsMadeAtOnceAreEachAnsweredByTheirOwn"),
                Twin.of(
                        "lists asked for at once share their answers",
                        () -> (honest, time) -> new OneAnswerForTwo(honest),
                        "Repetitions.listsAskedForAtOnceAreEachAnsweredByTheirOwn"),
                Twin.of(
                        "each closing of a watch is counted",
                        () -> (honest, time) -> new CountsClosings(honest),
                        "Repetitions.aWatchClosedTwiceLeavesTheOthersAlone"));
    }

    private static boolean stands(List<Enlisted> list, CandidateId candidate) {
        return list.stream().anyMatch(it -> it.candidate().id().equals(candidate));
    }

    /** While one call is under way, another of its kind and parameters' number gets that one's answer. */
    private static final class OneAnswerForTwo extends Forwarding {
        private final Map<String, CompletionStage<?>> underWay = new HashMap<>();
        private Set<ElectionName> asked = Set.of();

        private OneAnswerForTwo(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            return shared("grant", () -> honest.grant(owner, timeToLive));
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return shared("keepAlive", () -> honest.keepAlive(lease));
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return shared("read", () -> honest.read(first(elections)))
                    .thenApply(readings -> renamed(readings, elections));
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return shared("candidates", () -> honest.candidates(first(elections)))
                    .thenApply(lists -> renamed(lists, elections));
        }

        private Set<ElectionName> first(Set<ElectionName> elections) {
            asked = elections;
            return elections;
        }

        @SuppressWarnings("unchecked")
        private <T> CompletionStage<T> shared(String kind, Supplier<CompletionStage<T>> call) {
            CompletionStage<T> first = (CompletionStage<T>) underWay.get(kind);
            if (first != null && !first.toCompletableFuture().isDone()) {
                return first;
            }
            CompletionStage<T> own = call.get();
            underWay.put(kind, own);
            return own;
        }

        /** Each question's names, and the answers of the one that was sent. */
        private <V> Map<ElectionName, V> renamed(Map<ElectionName, V> answer, Set<ElectionName> elections) {
            Map<ElectionName, V> told = new LinkedHashMap<>();
            elections.forEach(
                    name -> told.put(name, answer.containsKey(name) ? answer.get(name) : other(answer, elections)));
            return told;
        }

        private <V> V other(Map<ElectionName, V> answer, Set<ElectionName> elections) {
            ElectionName others = asked.stream()
                    .filter(name -> !elections.contains(name))
                    .findAny()
                    .orElseThrow();
            return Optional.ofNullable(answer.get(others)).orElseThrow();
        }
    }

    private static final class StandsTwice extends Forwarding {
        private final Map<ElectionName, List<CandidateId>> underWay;
        private final Set<CandidateId> twice;

        private StandsTwice(Coordinator honest, Map<ElectionName, List<CandidateId>> underWay, Set<CandidateId> twice) {
            super(honest);
            this.underWay = underWay;
            this.twice = twice;
        }

        static MemoryRig.Dress dress() {
            Map<ElectionName, List<CandidateId>> underWay = new HashMap<>();
            Set<CandidateId> twice = new HashSet<>();
            return (honest, time) -> new StandsTwice(honest, underWay, twice);
        }

        @Override
        public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
            CandidateId id = candidate.candidate().id();
            List<CandidateId> those = underWay.computeIfAbsent(election, name -> new ArrayList<>());
            if (those.contains(id)) {
                twice.add(id);
            }
            those.add(id);
            return honest.enlist(election, candidate).whenComplete((done, failure) -> those.remove(id));
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return honest.candidates(elections).thenApply(lists -> {
                Map<ElectionName, List<Enlisted>> told = new LinkedHashMap<>();
                lists.forEach((name, list) -> told.put(
                        name,
                        list.stream()
                                .flatMap(it -> twice.contains(it.candidate().id()) ? Stream.of(it, it) : Stream.of(it))
                                .toList()));
                return told;
            });
        }
    }

    /** Takes the first of the list where a withdrawal of the same candidate is under way. */
    private static final class TakesTheNext extends Forwarding {
        private final Set<CandidateId> underWay;

        private TakesTheNext(Coordinator honest, Set<CandidateId> underWay) {
            super(honest);
            this.underWay = underWay;
        }

        static MemoryRig.Dress dress() {
            Set<CandidateId> underWay = new HashSet<>();
            return (honest, time) -> new TakesTheNext(honest, underWay);
        }

        @Override
        public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
            boolean isSecond = !underWay.add(candidate);
            CompletionStage<Void> done = honest.withdraw(election, candidate);
            return isSecond
                    ? done.thenCompose(nothing -> honest.candidates(Set.of(election)))
                            .thenCompose(lists -> honest.withdraw(
                                    election,
                                    lists.getOrDefault(election, List.of())
                                            .get(0)
                                            .candidate()
                                            .id()))
                    : done.whenComplete((nothing, failure) -> underWay.remove(candidate));
        }
    }

    private static final class RevokesOnce extends Forwarding {
        private final Set<LeaseId> underWay;

        private RevokesOnce(Coordinator honest, Set<LeaseId> underWay) {
            super(honest);
            this.underWay = underWay;
        }

        static MemoryRig.Dress dress() {
            Set<LeaseId> underWay = new HashSet<>();
            return (honest, time) -> new RevokesOnce(honest, underWay);
        }

        @Override
        public CompletionStage<Void> revoke(LeaseId lease) {
            return underWay.add(lease)
                    ? honest.revoke(lease).whenComplete((done, failure) -> underWay.remove(lease))
                    : CompletableFuture.failedStage(new LeaseLostException(lease, "twin"));
        }
    }

    /** Fails whose first grant meets another's. */
    private static final class PreparedByOne extends Forwarding {
        private final Set<Coordinator> preparing;
        private boolean isPrepared;

        private PreparedByOne(Coordinator honest, Set<Coordinator> preparing) {
            super(honest);
            this.preparing = preparing;
        }

        static MemoryRig.Dress dress() {
            Set<Coordinator> preparing = new HashSet<>();
            return (honest, time) -> new PreparedByOne(honest, preparing);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            if (!isPrepared && !preparing.isEmpty()) {
                return CompletableFuture.failedStage(new CoordinatorException("is there already", false));
            }
            isPrepared = true;
            preparing.add(this);
            return honest.grant(owner, timeToLive).whenComplete((lease, failure) -> preparing.remove(this));
        }
    }

    /** Answers for a lease by what it heard of it last, as one that has two connections may. */
    private static final class OutlivesItsRevoke extends Forwarding {
        private final Set<LeaseId> kept = new HashSet<>();

        private OutlivesItsRevoke(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            boolean isUnderWay = !kept.contains(lease);
            return isUnderWay
                    ? honest.keepAlive(lease).thenAccept(done -> kept.add(lease))
                    : CompletableFuture.completedStage(null);
        }
    }

    private static final class RefusesTheSecond extends Forwarding {
        private final Set<String> nonces;

        private RefusesTheSecond(Coordinator honest, Set<String> nonces) {
            super(honest);
            this.nonces = nonces;
        }

        static MemoryRig.Dress dress() {
            Set<String> nonces = new HashSet<>();
            return (honest, time) -> new RefusesTheSecond(honest, nonces);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            boolean isSecond = !nonces.add(next.nonce());
            return honest.swap(election, expected, next)
                    .thenApply(swap -> isSecond ? new Swap.Refused(Optional.empty()) : swap);
        }
    }

    /** Its watches of an election share one, which ends when as many closings were counted as there were watches. */
    private static final class CountsClosings extends Forwarding {
        private final Map<ElectionName, List<Watch>> shared = new HashMap<>();
        private final Map<ElectionName, Integer> closings = new HashMap<>();

        private CountsClosings(Coordinator honest) {
            super(honest);
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            List<Watch> all = shared.computeIfAbsent(election, name -> new ArrayList<>());
            Watch own = honest.watch(election, watcher);
            all.add(own);
            return () -> {
                own.close();
                if (closings.merge(election, 1, Integer::sum) >= all.size()) {
                    all.forEach(Watch::close);
                }
            };
        }
    }
}
