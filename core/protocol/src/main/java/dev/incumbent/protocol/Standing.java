package dev.incumbent.protocol;

/**
 * Whether this process stands, and its place in the order of candidates.
 *
 * @param campaigning it wants to lead
 * @param well it could do the work
 * @param standAtNanos it does not claim before: its last terms did not last
 * @param mismatchTold it has said that its sinks do not match the record's
 */
public record Standing(boolean campaigning, boolean well, Place place, long standAtNanos, boolean mismatchTold) {
    /** Is a candidate on the list? */
    public enum Listing {
        OFF,
        ASKED,
        ON
    }

    /**
     * Its place among the candidates.
     *
     * @param listing is it enlisted, as far as it knows
     * @param atEnd when it enlists next, it goes to the end
     * @param enlistAtNanos it does not enlist before; a failed try waits
     */
    public record Place(Listing listing, boolean atEnd, long enlistAtNanos) {}

    static final Standing ASIDE =
            new Standing(false, true, new Place(Listing.OFF, false, Long.MIN_VALUE), Long.MIN_VALUE, false);

    public Listing listing() {
        return place.listing();
    }

    Standing campaigning(boolean wanted) {
        return new Standing(wanted, well, place, standAtNanos, mismatchTold);
    }

    Standing well(boolean isWell) {
        return new Standing(campaigning, isWell, place, standAtNanos, mismatchTold);
    }

    Standing listing(Listing next) {
        return placed(new Place(next, place.atEnd() && next != Listing.ON, place.enlistAtNanos()));
    }

    Standing toTheEnd() {
        return placed(new Place(place.listing(), true, place.enlistAtNanos()));
    }

    Standing enlistsAt(long nanos) {
        return placed(new Place(place.listing(), place.atEnd(), nanos));
    }

    private Standing placed(Place next) {
        return new Standing(campaigning, well, next, standAtNanos, mismatchTold);
    }

    Standing standsAt(long nanos) {
        return new Standing(campaigning, well, place, nanos, mismatchTold);
    }

    Standing mismatchTold(boolean told) {
        return new Standing(campaigning, well, place, standAtNanos, told);
    }
}
