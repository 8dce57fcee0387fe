package dev.incumbent.health;

/**
 * Is told what a monitor believes, on change only. Called in order, one call at a time, on a thread that asks no check and renews no lease: a listener that blocks
 * or throws delays the next calls, and nothing else.
 */
public interface HealthListener {
    /** A check has answered for the first time, or has become sick or well. */
    default void onChange(Condition condition) {}

    /** The process is well: every check is. Told after the change of the check that was sick last. */
    default void onWell() {}

    /** The process is sick, for these reasons; told again when they change. */
    default void onSick(String why) {}
}
