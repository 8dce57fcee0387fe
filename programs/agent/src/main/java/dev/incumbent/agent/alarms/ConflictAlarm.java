package dev.incumbent.agent.alarms;

import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.conflict.Conflict;
import java.time.Instant;
import java.util.Optional;

/**
 * A conflict that is open, or was. Immutable.
 *
 * @param number of this agent's alarms at one coordinator, from 1 on
 * @param conflict as it was seen last
 * @param since when it was seen first; for people
 * @param until when it was seen to be over; empty while it is open
 * @param times how often it came back soon after it was over, and the first time
 */
public record ConflictAlarm(long number, Conflict conflict, Instant since, Optional<Instant> until, int times) {
    public boolean isOpen() {
        return until.isEmpty();
    }

    /** As the HTTP, the stream of events and the command are told it. */
    public JsonObject json() {
        JsonObject json = conflict.json().put("number", number).put("since", since);
        until.ifPresentOrElse(over -> json.put("until", over), () -> json.putNull("until"));
        return json.put("times", times);
    }
}
