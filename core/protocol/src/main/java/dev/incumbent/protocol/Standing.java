package dev.incumbent.protocol;

import java.time.Instant;

/**
 * Whether this process stands, and its place in the order of candidates.
 *
 * @param campaigning it wants to lead
 * @param well it could do the work
 * @param standAtNanos it does not claim before: its last terms did not last
 * @param mismatchTold it has said that its sinks do not match the record's
 */
public record Standing(
        boolean campaigning,
        boolean well,
        Place place,
        long standAtNanos,
        boolean mismatchTold,
        Position position,
        Load load) {
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
     * @param since when it enlisted there, by its wall clock, for people
     */
    public record Place(Listing listing, boolean atEnd, long enlistAtNanos, Instant since) {}

    /**
     * How far its program has come, such as the offset of a replica.
     *
     * @param reached as its program told last; below 0 where it tells nothing
     * @param listed as the list of candidates tells it, as far as this process knows
     * @param listAtNanos the list is not told before
     */
    public record Position(long reached, long listed, long listAtNanos) {
        static final Position NONE = new Position(-1, -1, Long.MIN_VALUE);
    }

    /**
     * How many elections its process leads.
     *
     * @param led as the process told last; below 0 where it tells nothing
     * @param listed as the list of candidates tells it, as far as this process knows; below 0 where it does not know
     * @param listAtNanos the list is not told before
     */
    public record Load(long led, long listed, long listAtNanos) {
        static final Load NONE = new Load(-1, 0, Long.MIN_VALUE);
    }

    static final Standing ASIDE = new Standing(
            false,
            true,
            new Place(Listing.OFF, false, Long.MIN_VALUE, Instant.EPOCH),
            Long.MIN_VALUE,
            false,
            Position.NONE,
            Load.NONE);

    public Listing listing() {
        return place.listing();
    }

    Standing campaigning(boolean wanted) {
        return new Standing(wanted, well, place, standAtNanos, mismatchTold, position, load);
    }

    Standing well(boolean isWell) {
        return new Standing(campaigning, isWell, place, standAtNanos, mismatchTold, position, load);
    }

    Standing listing(Listing next) {
        return placed(new Place(next, place.atEnd() && next != Listing.ON, place.enlistAtNanos(), place.since()));
    }

    Standing toTheEnd() {
        return placed(new Place(place.listing(), true, place.enlistAtNanos(), place.since()));
    }

    /** It enlists, and is waiting for the answer. */
    Standing enlists(Instant now) {
        return placed(new Place(Listing.ASKED, place.atEnd(), place.enlistAtNanos(), now));
    }

    Standing enlistsAt(long nanos) {
        return placed(new Place(place.listing(), place.atEnd(), nanos, place.since()));
    }

    private Standing placed(Place next) {
        return new Standing(campaigning, well, next, standAtNanos, mismatchTold, position, load);
    }

    Standing standsAt(long nanos) {
        return new Standing(campaigning, well, place, nanos, mismatchTold, position, load);
    }

    Standing mismatchTold(boolean told) {
        return new Standing(campaigning, well, place, standAtNanos, told, position, load);
    }

    /** Its program has come so far. */
    Standing reached(long reached) {
        return at(new Position(reached, position.listed(), position.listAtNanos()));
    }

    /** Its process leads so many elections. */
    Standing leads(long elections) {
        return under(new Load(elections, load.listed(), load.listAtNanos()));
    }

    /** The list is told what there is to tell, and not again before then; where there is nothing, nothing changes. */
    Standing listed(long notBefore) {
        return told(position.reached(), load.led(), notBefore);
    }

    /** The list could not be told, and is told again, but not before then. */
    Standing unlisted(long notBefore) {
        return told(-1, -1, notBefore);
    }

    private Standing told(long reached, long led, long notBefore) {
        Standing placed = position.reached() < 0 ? this : at(new Position(position.reached(), reached, notBefore));
        return load.led() < 0 ? placed : placed.under(new Load(load.led(), led, notBefore));
    }

    private Standing under(Load next) {
        return new Standing(campaigning, well, place, standAtNanos, mismatchTold, position, next);
    }

    private Standing at(Position next) {
        return new Standing(campaigning, well, place, standAtNanos, mismatchTold, next, load);
    }
}
