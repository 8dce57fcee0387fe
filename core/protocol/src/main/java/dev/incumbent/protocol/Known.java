package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Sorted;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What this process has been told of the record and the candidates.
 *
 * @param observed the record, once it was told
 * @param watched the revision that the watch told last; none since a gap
 * @param speaksFromNanos an answer to a request sent before says nothing new: a swap of ours was answered since
 */
public record Known(
        Optional<ObservedRecord> observed,
        Optional<Revision> watched,
        long speaksFromNanos,
        Vacancy vacancy,
        Questions questions,
        NotBefore notBefore) {
    static final Known NOTHING = new Known(
            Optional.empty(),
            Optional.empty(),
            Long.MIN_VALUE,
            Vacancy.NONE,
            new Questions(false, true, false, Set.of()),
            new NotBefore(Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE));

    /**
     * What is asked of the coordinator and of the sinks.
     *
     * @param reading a read is under way
     * @param readWanted something was told that only a read can settle
     * @param listing a list of candidates is under way
     * @param marks the sinks whose marks are being read because the leader is suspected
     */
    public record Questions(boolean reading, boolean readWanted, boolean listing, Set<SinkId> marks) {
        public Questions {
            marks = Sorted.copyOf(marks);
        }
    }

    /**
     * What waits, because it failed or was asked for just now.
     *
     * @param readAtNanos no read before
     * @param swapAtNanos no swap before
     * @param featuresAtNanos a leader does not ask before whether all candidates support what it wants
     * @param movesAtNanos a leader does not ask before whether a candidate has a better rank
     */
    public record NotBefore(long readAtNanos, long swapAtNanos, long featuresAtNanos, long movesAtNanos) {}

    long vacantSinceNanos() {
        return vacancy.sinceNanos();
    }

    /** The suspicion of that process. */
    Optional<Suspicion> suspicion(CandidateId leader) {
        return Optional.ofNullable(vacancy.suspicions().get(leader));
    }

    /** The suspicion of the leader that the record shows. */
    Optional<Suspicion> doubt() {
        return observed.flatMap(vacancy::doubt);
    }

    /** From now on; of the leader that the record shows, the order of the candidates is asked for anew. */
    Known suspecting(Suspicion next) {
        Vacancy then = vacancy.with(all -> all.put(next.leader(), next));
        boolean isDoubt = observed.flatMap(then::doubt).filter(next::equals).isPresent();
        return vacant(isDoubt ? then.since(next.sinceNanos()) : then);
    }

    /** No longer. */
    Known trusting(Suspicion over) {
        boolean wasDoubt = doubt().filter(over::equals).isPresent();
        Vacancy then = vacancy.with(all -> all.remove(over.leader(), over));
        return vacant(wasDoubt ? then.since(Step.NEVER) : then);
    }

    /** That sink has told its mark, asked then: whoever is suspected since before has it reached. */
    Known reached(SinkId sink, long sentAt) {
        return vacant(vacancy.with(
                all -> all.replaceAll((leader, one) -> sentAt >= one.sinceNanos() ? one.reaching(sink) : one)));
    }

    private Known vacant(Vacancy next) {
        return new Known(observed, watched, speaksFromNanos, next, questions, notBefore);
    }

    Optional<List<Enlisted>> line() {
        return vacancy.line();
    }

    /** Told of this record now. */
    Known told(ObservedRecord told, long now) {
        ObservedRecord kept = sharing(told);
        return new Known(
                observed.filter(kept::equals).or(() -> Optional.of(kept)),
                watched,
                speaksFromNanos,
                vacancy.after(observed, told, now),
                questions,
                notBefore);
    }

    /** Every answer comes with a record of its own; that known already is kept, and the new one is not. What is left of the lease decides nothing here. */
    private ObservedRecord sharing(ObservedRecord told) {
        ObservedRecord ours = observed.orElse(told);
        return new ObservedRecord(
                told.record().sharing(ours.record()),
                told.revision().equals(ours.revision()) ? ours.revision() : told.revision(),
                told.leaseAlive(),
                Optional.empty());
    }

    Known speaksFrom(long nanos) {
        return new Known(observed, watched, nanos, vacancy, questions, notBefore);
    }

    Known lined(Optional<List<Enlisted>> candidates, boolean isListing) {
        return new Known(
                observed,
                watched,
                speaksFromNanos,
                vacancy.lined(candidates),
                new Questions(questions.reading(), questions.readWanted(), isListing, questions.marks()),
                notBefore);
    }

    Known reading(boolean isReading, boolean wanted) {
        Questions next = new Questions(isReading, wanted, questions.listing(), questions.marks());
        return new Known(observed, watched, speaksFromNanos, vacancy, next, notBefore);
    }

    /** That sink is being asked for its mark, or has answered. */
    Known readingMark(SinkId sink, boolean isReading) {
        if (questions.marks().contains(sink) == isReading) {
            return this;
        }
        Set<SinkId> marks = new TreeSet<>(questions.marks());
        if (isReading) {
            marks.add(sink);
        } else {
            marks.remove(sink);
        }
        Questions next = new Questions(questions.reading(), questions.readWanted(), questions.listing(), marks);
        return new Known(observed, watched, speaksFromNanos, vacancy, next, notBefore);
    }

    Known wantsRead() {
        return reading(questions.reading(), true);
    }

    Known readsAt(long nanos) {
        return waiting(
                new NotBefore(nanos, notBefore.swapAtNanos(), notBefore.featuresAtNanos(), notBefore.movesAtNanos()));
    }

    Known swapsAt(long nanos) {
        return waiting(
                new NotBefore(notBefore.readAtNanos(), nanos, notBefore.featuresAtNanos(), notBefore.movesAtNanos()));
    }

    Known asksForFeaturesAt(long nanos) {
        return waiting(
                new NotBefore(notBefore.readAtNanos(), notBefore.swapAtNanos(), nanos, notBefore.movesAtNanos()));
    }

    Known looksForBetterAt(long nanos) {
        return waiting(
                new NotBefore(notBefore.readAtNanos(), notBefore.swapAtNanos(), notBefore.featuresAtNanos(), nanos));
    }

    private Known waiting(NotBefore next) {
        return new Known(observed, watched, speaksFromNanos, vacancy, questions, next);
    }

    Known unwatched() {
        return watched(observed, Optional.empty());
    }

    /** Told by the watch. */
    Known watched(ObservedRecord told) {
        Optional<ObservedRecord> kept = observed.map(ours -> heldWith(told, ours));
        Optional<Revision> revision = kept.map(ObservedRecord::revision)
                .filter(told.revision()::equals)
                .or(() -> Optional.of(told.revision()));
        return watched(kept, revision);
    }

    /** Whoever tells a record may go on holding it: where it is the one we know, the two are one in memory. */
    private static ObservedRecord heldWith(ObservedRecord told, ObservedRecord ours) {
        boolean same = ours.revision().equals(told.revision()) && ours.record().equals(told.record());
        return same
                ? new ObservedRecord(told.record(), told.revision(), ours.leaseAlive(), ours.leaseRemaining())
                : ours;
    }

    /** This, its record's parts taken from another's where they are equal. */
    @SuppressWarnings({"ReferenceEquality", "OptionalEquality"}) // what is one in memory already is shared
    Known sharing(Known other) {
        if (observed == other.observed) {
            return this;
        }
        LeaderRecord theirs = other.observed.map(ObservedRecord::record).orElse(LeaderRecord.EMPTY);
        Optional<ObservedRecord> shared = observed.map(ours -> new ObservedRecord(
                ours.record().sharing(theirs), ours.revision(), ours.leaseAlive(), ours.leaseRemaining()));
        return watched(shared, watched);
    }

    private Known watched(Optional<ObservedRecord> record, Optional<Revision> revision) {
        return new Known(record, revision, speaksFromNanos, vacancy, questions, notBefore);
    }
}
