package dev.incumbent.simulation;

import dev.incumbent.model.ObservedRecord;

/**
 * One process whose guard holds at this instant, and what the store says of it.
 *
 * @param record as it really is
 * @param named does the record name the process as leader of the term it believes to lead?
 */
record Belief(Player player, ObservedRecord record, boolean named) {
    static Belief of(Player player, long term, ObservedRecord record) {
        return new Belief(
                player, record, record.record().names(player.candidate().id(), term));
    }
}
