package dev.incumbent.agent.alarms;

import java.lang.System.Logger.Level;

/** Tells a listener of an alarm. One that throws is logged, and harms neither who tells nor those that are told after it. Thread-safe. */
final class AlarmTelling {
    private final AsideLog log = new AsideLog();

    void tell(AlarmListener listener, ConflictAlarm alarm) {
        try {
            listener.onAlarm(alarm);
        } catch (RuntimeException | Error thrown) {
            String what =
                    alarm.conflict().kind().word() + " of " + alarm.conflict().election();
            log.log(Level.ERROR, "who is told of the alarm " + what + " threw", thrown);
        }
    }
}
