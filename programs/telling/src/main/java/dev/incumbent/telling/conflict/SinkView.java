package dev.incumbent.telling.conflict;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import java.util.Optional;

/**
 * What a sink says of one election.
 *
 * @param label the sink's name for people, without credentials
 * @param unreadable why its mark cannot be read, if so
 */
public record SinkView(String label, Optional<Mark> mark, Optional<String> unreadable) {
    /** As it was read. */
    public static SinkView of(String label, MarksRead read, ElectionName election) {
        return new SinkView(
                label,
                Optional.ofNullable(read.marks().get(election)),
                Optional.ofNullable(read.unreadable().get(election)));
    }
}
