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
 * @param speaksFromNanos an answer to a request sent before says nothing new: a swap of ours was answered since
 * @param vacantSinceNanos when it was told that nobody leads; {@link Step#NEVER} where somebody does
 * @param line the candidates in order, read since the vacancy or the request that asks for them
 * @param reading a read is under way
 * @param readWanted something was told that only a read can settle
 * @param readAtNanos no read before; one that failed waits
 * @param listing a list of candidates is under way
 * @param swapAtNanos no swap before; one that failed waits
 * @param featuresAtNanos a leader does not ask before whether all candidates support what it wants
 * @param watched the revision that the watch told last; none since a gap
 */
public record Known(
        Optional<ObservedRecord> observed,
        long speaksFromNanos,
        long vacantSinceNanos,
        Optional<List<Enlisted>> line,
        boolean reading,
        boolean readWanted,
        long readAtNanos,
        boolean listing,
        long swapAtNanos,
        long featuresAtNanos,
        Optional<Revision> watched) {
    static final Known NOTHING = new Known(
            Optional.empty(),
            Long.MIN_VALUE,
            Step.NEVER,
            Optional.empty(),
            false,
            true,
            Long.MIN_VALUE,
            false,
            Long.MIN_VALUE,
            Long.MIN_VALUE,
            Optional.empty());

    /** Told of this record now; a vacancy of another revision is a new vacancy, with a new line. */
    Known told(ObservedRecord told, long now) {
        Revision before = observed.map(ObservedRecord::revision).orElse(Revision.ABSENT);
        boolean same = told.isVacant() && vacantSinceNanos != Step.NEVER && before.equals(told.revision());
        ObservedRecord kept = sharing(told);
        long since = !told.isVacant() ? Step.NEVER : same ? vacantSinceNanos : now;
        return new Known(
                observed.filter(kept::equals).or(() -> Optional.of(kept)),
                speaksFromNanos,
                since,
                same ? line : Optional.empty(),
                reading,
                readWanted,
                readAtNanos,
                listing,
                swapAtNanos,
                featuresAtNanos,
                watched);
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
        return new Known(
                observed,
                nanos,
                vacantSinceNanos,
                line,
                reading,
                readWanted,
                readAtNanos,
                listing,
                swapAtNanos,
                featuresAtNanos,
                watched);
    }

    Known lined(Optional<List<Enlisted>> candidates, boolean isListing) {
        return new Known(
                observed,
                speaksFromNanos,
                vacantSinceNanos,
                candidates,
                reading,
                readWanted,
                readAtNanos,
                isListing,
                swapAtNanos,
                featuresAtNanos,
                watched);
    }

    Known reading(boolean isReading, boolean wanted) {
        return new Known(
                observed,
                speaksFromNanos,
                vacantSinceNanos,
                line,
                isReading,
                wanted,
                readAtNanos,
                listing,
                swapAtNanos,
                featuresAtNanos,
                watched);
    }

    Known wantsRead() {
        return reading(reading, true);
    }

    Known readsAt(long nanos) {
        return new Known(
                observed,
                speaksFromNanos,
                vacantSinceNanos,
                line,
                reading,
                readWanted,
                nanos,
                listing,
                swapAtNanos,
                featuresAtNanos,
                watched);
    }

    Known swapsAt(long nanos) {
        return new Known(
                observed,
                speaksFromNanos,
                vacantSinceNanos,
                line,
                reading,
                readWanted,
                readAtNanos,
                listing,
                nanos,
                featuresAtNanos,
                watched);
    }

    Known asksForFeaturesAt(long nanos) {
        return new Known(
                observed,
                speaksFromNanos,
                vacantSinceNanos,
                line,
                reading,
                readWanted,
                readAtNanos,
                listing,
                swapAtNanos,
                nanos,
                watched);
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
        return new Known(
                record,
                speaksFromNanos,
                vacantSinceNanos,
                line,
                reading,
                readWanted,
                readAtNanos,
                listing,
                swapAtNanos,
                featuresAtNanos,
                revision);
    }
}
