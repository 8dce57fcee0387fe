package dev.incumbent.agent.alarms;

/** Is told when alarms are raised and when they are over. Called on the one thread that owns the state of all owners, so each call must return at once, and throw nothing. */
@FunctionalInterface
public interface AlarmListener {
    /** Does nothing. */
    AlarmListener NONE = alarm -> {};

    /** An alarm was raised, or is over. One that comes back soon after is not told again until it has lasted. */
    void onAlarm(ConflictAlarm alarm);
}
