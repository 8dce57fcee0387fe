package dev.incumbent.cli.clock;

import java.time.Duration;
import java.util.Optional;

/** What chrony tells by {@code chronyc -c tracking}: one line of fourteen fields. */
final class Chrony {
    static final String SOURCE = "chrony (chronyc tracking)";

    private static final int FIELDS = 14;
    private static final int SYSTEM_OFFSET = 4;
    private static final int RESIDUAL_PPM = 8;
    private static final int SKEW_PPM = 9;
    private static final int ROOT_DELAY = 10;
    private static final int ROOT_DISPERSION = 11;
    private static final int LEAP = 13;
    /** chrony's {@code maxclockerror}, by which it assumes that an oscillator wanders by itself. */
    private static final double WANDER_PPM = 1;

    private static final double NANOS = 1e9;

    private Chrony() {}

    /**
     * Reads the line; empty where it is none. Off by at most what is still to be slewed away, half the root delay and the root dispersion; its rate by what is left of the
     * estimate, the estimate's own error, and the oscillator's wander.
     */
    static Optional<ClockError> parse(String line) {
        String[] fields = line.strip().split(",", -1);
        if (fields.length < FIELDS) {
            return Optional.empty();
        }
        try {
            double seconds = Math.abs(Double.parseDouble(fields[SYSTEM_OFFSET]))
                    + Double.parseDouble(fields[ROOT_DELAY]) / 2
                    + Double.parseDouble(fields[ROOT_DISPERSION]);
            double ppm = Math.abs(Double.parseDouble(fields[RESIDUAL_PPM]))
                    + Math.abs(Double.parseDouble(fields[SKEW_PPM]))
                    + WANDER_PPM;
            if (!Double.isFinite(seconds) || !Double.isFinite(ppm) || seconds < 0 || seconds > Integer.MAX_VALUE) {
                return Optional.empty();
            }
            boolean isSynchronised = !fields[LEAP].equals("Not synchronised");
            return Optional.of(
                    new ClockError(SOURCE, isSynchronised, Duration.ofNanos(Math.round(seconds * NANOS)), ppm));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
