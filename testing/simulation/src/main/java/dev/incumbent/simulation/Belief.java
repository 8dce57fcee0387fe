package dev.incumbent.simulation;

import dev.incumbent.model.ObservedRecord;

/**
 * One process whose guard holds at this instant, and what the store says of it.
 *
 * @param term what it believes to lead
 * @param record as it really is
 * @param named does the record name the process as leader of the term it believes to lead?
 */
record Belief(Player player, long term, ObservedRecord record, boolean named) {
    static Belief of(Player player, long term, ObservedRecord record) {
        return new Belief(
                player, term, record, record.record().names(player.candidate().id(), term));
    }

    /** Is it that of this term and this record, so that it need not be made anew? */
    @SuppressWarnings(
            "ReferenceEquality") // one that equals it is compared with the term anew, and nothing else is lost
    boolean isOf(long other, ObservedRecord told) {
        return term == other && record == told;
    }
}
