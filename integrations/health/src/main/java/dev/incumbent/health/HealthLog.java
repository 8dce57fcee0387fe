package dev.incumbent.health;

import dev.incumbent.health.Condition.State;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;

/** Writes a line to a logger when a check becomes sick, and when it is well again. That a check is well from the beginning is told to nobody. */
final class HealthLog implements HealthListener {
    private final Logger logger;
    private final Set<String> sick = new HashSet<>();

    HealthLog(Logger logger) {
        this.logger = logger;
    }

    @Override
    public void onChange(Condition condition) {
        if (condition.state() == State.SICK) {
            sick.add(condition.check());
            logger.log(Level.WARNING, "sick: {0}", condition.sentence());
        } else if (sick.remove(condition.check())) {
            logger.log(Level.INFO, "well again: {0}", condition.sentence());
        }
    }
}
