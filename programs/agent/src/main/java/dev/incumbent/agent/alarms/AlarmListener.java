package dev.incumbent.agent.alarms;

/** Is told when alarms are raised and when they are over. Called one at a time, in the order of what happens at one coordinator. One that throws is logged. */
@FunctionalInterface
public interface AlarmListener {
    /** Does nothing. */
    AlarmListener NONE = alarm -> {};

    /** An alarm was raised, or is over. */
    void onAlarm(ConflictAlarm alarm);
}
