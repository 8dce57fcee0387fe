package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Sorted;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * That nobody leads, or that who leads is suspected to be gone; and who may claim.
 *
 * @param sinceNanos when it was told; {@link Step#NEVER} where somebody leads and is not suspected
 * @param line the candidates in order, read since then, or since the request that asks for them
 * @param suspicions who is suspected; those of terms that the record does not show yet wait for it
 */
public record Vacancy(long sinceNanos, Optional<List<Enlisted>> line, Map<CandidateId, Suspicion> suspicions) {
    static final Vacancy NONE = new Vacancy(Step.NEVER, Optional.empty(), Map.of());

    public Vacancy {
        suspicions = Sorted.copyOf(suspicions);
    }

    /** The suspicion of the leader that this record shows, in this record's term. */
    Optional<Suspicion> doubt(ObservedRecord told) {
        return suspicions.isEmpty() || told.isVacant() ? Optional.empty() : ofLeader(told);
    }

    private Optional<Suspicion> ofLeader(ObservedRecord told) {
        return told.record()
                .leader()
                .flatMap(leader -> Optional.ofNullable(suspicions.get(leader.id())))
                .filter(suspicion -> suspicion.term() == told.record().term());
    }

    /** A vacancy of another revision is a new one, with a new line. A suspicion ends with the term of its leader. */
    Vacancy after(Optional<ObservedRecord> before, ObservedRecord told, long now) {
        Optional<Suspicion> doubted = before.flatMap(this::doubt);
        Vacancy left = without(one -> isOver(one, told));
        Optional<Suspicion> doubt = left.doubt(told);
        if (told.isVacant()) {
            boolean isSame =
                    before.map(ObservedRecord::revision).orElse(Revision.ABSENT).equals(told.revision());
            return isSame && sinceNanos != Step.NEVER && doubted.isEmpty() ? left : left.since(now);
        }
        if (doubt.isEmpty()) {
            return left.since(Step.NEVER);
        }
        return doubted.filter(doubt.get()::isSame).isPresent()
                ? left
                : left.since(doubt.get().sinceNanos());
    }

    private static boolean isOver(Suspicion one, ObservedRecord told) {
        long term = told.record().term();
        return one.term() < term || (one.term() == term && !told.record().names(one.leader(), term));
    }

    /** Asked at every record: mostly nobody is suspected. */
    private Vacancy without(Predicate<Suspicion> over) {
        boolean goOn = suspicions.isEmpty() || suspicions.values().stream().noneMatch(over);
        return goOn ? this : with(all -> all.values().removeIf(over));
    }

    /** From then on, with an order of the candidates that is asked for anew. */
    Vacancy since(long nanos) {
        if (nanos == Step.NEVER && sinceNanos == Step.NEVER && line.isEmpty()) {
            return this;
        }
        return new Vacancy(nanos, Optional.empty(), suspicions);
    }

    Vacancy lined(Optional<List<Enlisted>> candidates) {
        return new Vacancy(sinceNanos, candidates, suspicions);
    }

    Vacancy with(Consumer<Map<CandidateId, Suspicion>> change) {
        Map<CandidateId, Suspicion> next = new TreeMap<>(suspicions);
        change.accept(next);
        return new Vacancy(sinceNanos, line, next);
    }
}
