package dev.incumbent.protocol;

import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.List;
import java.util.Optional;

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
            new Questions(false, true, false),
            new NotBefore(Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE));

    /**
     * That nobody leads, and who may.
     *
     * @param sinceNanos when it was told; {@link Step#NEVER} where somebody leads
     * @param line the candidates in order, read since the vacancy or the request that asks for them
     */
    public record Vacancy(long sinceNanos, Optional<List<Enlisted>> line) {
        static final Vacancy NONE = new Vacancy(Step.NEVER, Optional.empty());
    }

    /**
     * What is asked of the coordinator.
     *
     * @param reading a read is under way
     * @param readWanted something was told that only a read can settle
     * @param listing a list of candidates is under way
     */
    public record Questions(boolean reading, boolean readWanted, boolean listing) {}

    /**
     * What waits, because it failed or was asked for just now.
     *
     * @param readAtNanos no read before
     * @param swapAtNanos no swap before
     * @param featuresAtNanos a leader does not ask before whether all candidates support what it wants
     */
    public record NotBefore(long readAtNanos, long swapAtNanos, long featuresAtNanos) {}

    long vacantSinceNanos() {
        return vacancy.sinceNanos();
    }

    Optional<List<Enlisted>> line() {
        return vacancy.line();
    }

    /** Told of this record now; a vacancy of another revision is a new vacancy, with a new line. */
    Known told(ObservedRecord told, long now) {
        Revision before = observed.map(ObservedRecord::revision).orElse(Revision.ABSENT);
        boolean same = told.isVacant() && vacancy.sinceNanos() != Step.NEVER && before.equals(told.revision());
        ObservedRecord kept = sharing(told);
        long since = !told.isVacant() ? Step.NEVER : same ? vacancy.sinceNanos() : now;
        return new Known(
                observed.filter(kept::equals).or(() -> Optional.of(kept)),
                watched,
                speaksFromNanos,
                new Vacancy(since, same ? vacancy.line() : Optional.empty()),
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
                new Vacancy(vacancy.sinceNanos(), candidates),
                new Questions(questions.reading(), questions.readWanted(), isListing),
                notBefore);
    }

    Known reading(boolean isReading, boolean wanted) {
        Questions next = new Questions(isReading, wanted, questions.listing());
        return new Known(observed, watched, speaksFromNanos, vacancy, next, notBefore);
    }

    Known wantsRead() {
        return reading(questions.reading(), true);
    }

    Known readsAt(long nanos) {
        return waiting(new NotBefore(nanos, notBefore.swapAtNanos(), notBefore.featuresAtNanos()));
    }

    Known swapsAt(long nanos) {
        return waiting(new NotBefore(notBefore.readAtNanos(), nanos, notBefore.featuresAtNanos()));
    }

    Known asksForFeaturesAt(long nanos) {
        return waiting(new NotBefore(notBefore.readAtNanos(), notBefore.swapAtNanos(), nanos));
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
