package dev.incumbent.telling.conflict;

import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;

/** A term of this host was given up for the mark of a sink, as the library told: a mark that the record did not know. */
public record MetMark(long term, SinkId sink, Mark mark) {}
