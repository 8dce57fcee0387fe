package dev.incumbent.cli.reading;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.protocol.Features;
import java.util.Optional;
import java.util.Set;

/** What a record requires of whoever stands on it or writes it, in a sentence. */
public final class Requirements {
    private Requirements() {}

    /** What an election requires; empty where it is nothing. */
    static Optional<String> sentence(ElectionName election, LeaderRecord record) {
        return record.requires().isEmpty()
                ? Optional.empty()
                : unknown(election, record).or(() -> Optional.of(election + " requires " + record.requires()));
    }

    /** What of it this version does not know, and what follows; empty where it knows all. */
    public static Optional<String> unknown(ElectionName election, LeaderRecord record) {
        Set<Feature> unknown = record.requiresBeyond(Features.KNOWN);
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        election + " requires " + record.requires() + ", and this version does not know " + unknown
                                + ": it reads the record, and neither stands nor writes; use a version that knows them");
    }
}
