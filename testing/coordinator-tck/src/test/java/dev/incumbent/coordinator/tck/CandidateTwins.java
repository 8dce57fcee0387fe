package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Twins that lie about candidates. */
final class CandidateTwins {
    private CandidateTwins() {}

    static Stream<Twin> all() {
        return Stream.of(
                Twin.of(
                        "candidates stand in the order of the times that they tell",
                        () -> (honest, time) -> new Listing(
                                honest,
                                list -> list.stream()
                                        .sorted(Comparator.comparing(Enlisted::since))
                                        .toList()),
                        "Candidates.candidatesStandInTheOrderOfTheirEnlisting"),
                Twin.of(
                        "who enlists again is listed with the time of before",
                        () -> (honest, time) -> new FirstTime(honest),
                        "Candidates.whoEnlistsAgainKeepsItsPlaceAndIsUpdated"),
                Twin.of(
                        "candidates are told apart by their names",
                        () -> KnownBy.dress(Candidate::name),
                        "Candidates.candidatesOfOneNameStandEachOnItsOwn"),
                Twin.of(
                        "candidates are told apart without the case of their ids",
                        () -> KnownBy.dress(it -> it.id().value().toLowerCase(Locale.ROOT)),
                        "Candidates.candidatesOfOneNameStandEachOnItsOwn"),
                Twin.of(
                        "all lists that are asked for together are in each of them",
                        () -> (honest, time) -> new AllInEach(honest),
                        "Candidates.everyElectionAskedForHasItsListAndNoOtherHas"));
    }

    /** Lists otherwise what the honest one lists. */
    private static class Listing extends Forwarding {
        private final UnaryOperator<List<Enlisted>> otherwise;

        Listing(Coordinator honest, UnaryOperator<List<Enlisted>> otherwise) {
            super(honest);
            this.otherwise = otherwise;
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return honest.candidates(elections).thenApply(lists -> {
                Map<ElectionName, List<Enlisted>> told = new LinkedHashMap<>();
                lists.forEach((name, list) -> told.put(name, otherwise.apply(list)));
                return told;
            });
        }
    }

    private static final class FirstTime extends Forwarding {
        private final Map<CandidateId, Enlisted> before = new HashMap<>();

        private FirstTime(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Void> enlist(ElectionName election, Enlisted it) {
            Enlisted first = before.computeIfAbsent(it.candidate().id(), id -> it);
            return honest.enlist(election, new Enlisted(it.candidate(), it.lease(), first.since(), it.sinks()));
        }
    }

    /** Keeps one entry for each key of candidates: the last one that was sent. */
    private static final class KnownBy extends Forwarding {
        private final Function<Candidate, String> keyOf;
        private final Map<CandidateId, CandidateId> keys;
        private final Map<CandidateId, Enlisted> entries;

        private KnownBy(
                Coordinator honest,
                Function<Candidate, String> keyOf,
                Map<CandidateId, CandidateId> keys,
                Map<CandidateId, Enlisted> entries) {
            super(honest);
            this.keyOf = keyOf;
            this.keys = keys;
            this.entries = entries;
        }

        static MemoryRig.Dress dress(Function<Candidate, String> keyOf) {
            Map<CandidateId, CandidateId> keys = new HashMap<>();
            Map<CandidateId, Enlisted> entries = new HashMap<>();
            return (honest, time) -> new KnownBy(honest, keyOf, keys, entries);
        }

        @Override
        public CompletionStage<Void> enlist(ElectionName election, Enlisted it) {
            Candidate candidate = it.candidate();
            CandidateId key = new CandidateId(keyOf.apply(candidate));
            keys.put(candidate.id(), key);
            entries.put(key, it);
            Candidate known = new Candidate(key, candidate.name(), candidate.address());
            return honest.enlist(election, new Enlisted(known, it.lease(), it.since(), it.sinks()));
        }

        @Override
        public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
            return honest.withdraw(election, keys.getOrDefault(candidate, candidate));
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return honest.candidates(elections).thenApply(lists -> {
                Map<ElectionName, List<Enlisted>> told = new LinkedHashMap<>();
                lists.forEach((name, list) -> told.put(
                        name,
                        list.stream()
                                .map(it -> entries.getOrDefault(it.candidate().id(), it))
                                .toList()));
                return told;
            });
        }
    }

    private static final class AllInEach extends Forwarding {
        private AllInEach(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return honest.candidates(elections).thenApply(lists -> {
                List<Enlisted> all =
                        lists.values().stream().flatMap(List::stream).toList();
                Map<ElectionName, List<Enlisted>> told = new LinkedHashMap<>();
                lists.forEach((name, list) -> told.put(name, list.isEmpty() ? list : all));
                return told;
            });
        }
    }
}
