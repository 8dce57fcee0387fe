package dev.incumbent.agent.alarms;

import dev.incumbent.Elections;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells a listener of an alarm. One that throws is logged, and harms neither who tells nor those that are told after it. Thread-safe. */
final class AlarmTelling {
    private static final Logger LOGGER = System.getLogger(Elections.LOGGER);

    private AlarmTelling() {}

    static void tell(AlarmListener listener, ConflictAlarm alarm) {
        try {
            listener.onAlarm(alarm);
        } catch (RuntimeException | Error thrown) {
            String what = alarm.conflict().kind().word() + " of "
                    + alarm.conflict().election();
            LOGGER.log(Level.ERROR, "who is told of the alarm " + what + " threw", thrown);
        }
    }
}
