package dev.incumbent.agent.alarms;

import dev.incumbent.Elections;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Has a line in the log of the elections for each alarm, and one when it is over. Thread-safe. */
public final class AlarmLog implements AlarmListener {
    private final Logger logger = System.getLogger(Elections.LOGGER);

    /** Over the logger of the elections. */
    public AlarmLog() {}

    @Override
    public void onAlarm(ConflictAlarm alarm) {
        String kind = alarm.conflict().kind().word();
        if (alarm.isOpen()) {
            logger.log(Level.WARNING, "alarm {0}: {1}", kind, alarm.conflict().sentence());
        } else {
            logger.log(
                    Level.INFO,
                    "the alarm {0} of {1} is over",
                    kind,
                    alarm.conflict().election());
        }
    }
}
