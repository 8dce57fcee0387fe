package dev.incumbent.protocol;

/**
 * Whether this process stands, and its place in the order of candidates.
 *
 * @param campaigning it wants to lead
 * @param well it could do the work
 * @param listing is it enlisted, as far as it knows
 * @param atEnd when it enlists next, it goes to the end
 * @param enlistAtNanos it does not enlist before; a failed try waits
 * @param standAtNanos it does not claim before: its last terms did not last
 * @param mismatchTold it has said that its sinks do not match the record's
 */
public record Standing(
        boolean campaigning,
        boolean well,
        Listing listing,
        boolean atEnd,
        long enlistAtNanos,
        long standAtNanos,
        boolean mismatchTold) {
    /** Is a candidate on the list? */
    public enum Listing {
        OFF,
        ASKED,
        ON
    }

    static final Standing ASIDE = new Standing(false, true, Listing.OFF, false, Long.MIN_VALUE, Long.MIN_VALUE, false);

    Standing campaigning(boolean wanted) {
        return new Standing(wanted, well, listing, atEnd, enlistAtNanos, standAtNanos, mismatchTold);
    }

    Standing well(boolean isWell) {
        return new Standing(campaigning, isWell, listing, atEnd, enlistAtNanos, standAtNanos, mismatchTold);
    }

    Standing listing(Listing next) {
        return new Standing(
                campaigning, well, next, atEnd && next != Listing.ON, enlistAtNanos, standAtNanos, mismatchTold);
    }

    Standing toTheEnd() {
        return new Standing(campaigning, well, listing, true, enlistAtNanos, standAtNanos, mismatchTold);
    }

    Standing enlistsAt(long nanos) {
        return new Standing(campaigning, well, listing, atEnd, nanos, standAtNanos, mismatchTold);
    }

    Standing standsAt(long nanos) {
        return new Standing(campaigning, well, listing, atEnd, enlistAtNanos, nanos, mismatchTold);
    }

    Standing mismatchTold(boolean told) {
        return new Standing(campaigning, well, listing, atEnd, enlistAtNanos, standAtNanos, told);
    }
}
