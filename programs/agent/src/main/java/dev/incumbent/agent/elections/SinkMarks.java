package dev.incumbent.agent.elections;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.model.SinkId;

/**
 * What one sink says of its marks.
 *
 * @param label the sink's name for people, without credentials
 */
record SinkMarks(SinkId id, String label, MarksRead read) {}
