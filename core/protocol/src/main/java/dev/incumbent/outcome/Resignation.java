package dev.incumbent.outcome;

import dev.incumbent.model.Candidate;
import java.time.Duration;
import java.util.Optional;

/** How a request to resign ended. */
public sealed interface Resignation extends OperatorOutcome {
    /** The term is over; who leads now, if anybody was seen to. */
    record Resigned(long term, Candidate leader, Optional<Next> next) implements Resignation {}

    /** Who leads next, and the gap from vacancy to claim as it was seen from here, absent where the vacancy was too short to be seen. */
    record Next(long term, Candidate leader, Optional<Duration> gap) {}

    /** It cannot be; nothing was done. */
    record Refused(String why) implements Resignation {}

    /** The same term goes on, and the request is cleared. */
    record TakenBack(long term, Candidate leader, String why) implements Resignation {}
}
