package dev.incumbent.agent.alarms;

import java.util.List;

/**
 * The alarms of one moment. Immutable.
 *
 * @param open in the order of elections
 * @param over the newest ones that are over, the newest first
 * @param unlisted conflicts that were seen last and found no place
 */
public record AlarmList(List<ConflictAlarm> open, List<ConflictAlarm> over, long unlisted) {
    /** No alarm. */
    public static final AlarmList EMPTY = new AlarmList(List.of(), List.of(), 0);

    public AlarmList {
        open = List.copyOf(open);
        over = List.copyOf(over);
    }
}
