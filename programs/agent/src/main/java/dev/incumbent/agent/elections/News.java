package dev.incumbent.agent.elections;

import dev.incumbent.LeaderChange;
import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.model.EndReason;
import java.util.Optional;

/** What somebody who follows an election is told. When it arrives it may have changed again, so it is no permission to act. */
public sealed interface News {
    /**
     * Who leads changed; the first one tells how things stand.
     *
     * @param index twice the term, and one more once that term is over; see {@link HostElections#index}
     */
    record LeaderChanged(long index, LeaderChange change) implements News {}

    /** An owner of this host was told that it leads: it may believe so from now on. */
    record Acquired(long token) implements News {}

    /** The last keep-alive of the agent's lease was not answered in time. The owner still leads. */
    record InJeopardy(long token) implements News {}

    /** Keep-alives are answered again. */
    record Safe(long token) implements News {}

    /** Views of the election contradict each other, or do so no more. */
    record AlarmChanged(ConflictAlarm alarm) implements News {}

    /**
     * The owner is granted nothing more in this term. It may believe that it leads for a moment longer, until it has stopped or its last grant has passed.
     *
     * @param reason empty where it is not known yet, as in a transfer; the next change of leader tells it
     */
    record Lost(long token, Optional<EndReason> reason) implements News {}
}
