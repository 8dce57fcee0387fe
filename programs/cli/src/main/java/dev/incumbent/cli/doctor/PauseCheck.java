package dev.incumbent.cli.doctor;

import dev.incumbent.cli.clock.PauseLog;
import dev.incumbent.cli.clock.PauseLog.Pause;
import dev.incumbent.cli.frame.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Would the lease outlive the longest pause that runs of this user met on this host? A pause may begin when a third of the lease has passed since it was renewed. */
final class PauseCheck {
    private static final String CHECK = "pauses";

    private final Surroundings around;
    private final Duration lease;

    PauseCheck(Surroundings around, Duration lease) {
        this.around = around;
        this.lease = lease;
    }

    Finding finding() {
        Optional<PauseLog> log = PauseLog.of(around);
        if (log.isEmpty()) {
            return Finding.note(CHECK, "neither XDG_STATE_HOME nor HOME is set, so no run recorded its pauses");
        }
        try {
            Optional<Pause> longest = log.get().longest(around.now());
            return longest.map(this::judged)
                    .orElseGet(() -> Finding.well(
                            CHECK, "no run of this user met one on this host in " + PauseLog.KEPT.toDays() + " days"));
        } catch (IOException e) {
            return Finding.note(CHECK, log.get() + " cannot be read: " + e);
        }
    }

    private Finding judged(Pause longest) {
        Duration outlived = lease.multipliedBy(2).dividedBy(3);
        String told = "the longest of " + PauseLog.KEPT.toDays() + " days on this host was "
                + longest.length().toMillis()
                + " ms (" + longest.what() + ", " + longest.at() + "); a lease of " + lease.toMillis()
                + " ms outlives " + outlived.toMillis() + " ms";
        return longest.length().compareTo(outlived) <= 0
                ? Finding.well(CHECK, told)
                : Finding.wrong(
                        CHECK,
                        told + ": take one of at least "
                                + longest.length().multipliedBy(3).dividedBy(2).toMillis()
                                + " ms, or find out what stopped the host");
    }
}
