package dev.incumbent.cli.clock;

import dev.incumbent.model.Timing;
import dev.incumbent.telling.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * How wrong this machine's clock may be, as who disciplines it tells.
 *
 * <p>A lease is counted by the monotonic clock, which is not set but is <em>slewed</em>, exactly as the wall clock is. So the bound on its rate follows from that on its offset: a clock that is at
 * most ε from the truth when a lease begins is, while it runs on undisciplined, at most ε plus its frequency's error times the lease from it at the end, and a
 * discipline that pulls it towards the truth, however fast, keeps it nearer. Over a lease it then gains or loses at most twice ε and that: see {@link #rateOver}.
 *
 * @param source who told it
 * @param isSynchronised does the source vouch for the offset
 * @param offset the most that the clock is off, ε
 * @param ratePpm the error of its frequency, in parts per million
 */
public record ClockError(String source, boolean isSynchronised, Duration offset, double ratePpm) {
    private static final double MILLION = 1_000_000;

    /** The greatest error of the clock's rate over a lease: 2ε / lease, and the frequency's. */
    public double rateOver(Duration lease) {
        return 2.0 * offset.toNanos() / lease.toNanos() + ratePpm / MILLION;
    }

    /**
     * What {@code --drift-bound auto} takes. Never below the standard: the bound is for both clocks, this one and the one that the lease ends by, which nobody here can
     * judge. The standard, too, where the source does not vouch for the clock.
     */
    public double driftBound(Duration lease) {
        return isSynchronised ? Math.max(Timing.DRIFT_BOUND, rateOver(lease)) : Timing.DRIFT_BOUND;
    }

    /** What was read, and what follows for such a lease. */
    public String sentence(Duration lease) {
        if (!isSynchronised) {
            return source
                    + " says that this machine's clock is NOT SYNCHRONISED, so nothing bounds its error; the drift bound of "
                    + ppm(Timing.DRIFT_BOUND)
                    + " stays, which a sound oscillator keeps: let chrony or ntpd discipline it";
        }
        return source + " says that this machine's clock is at most " + millis() + " ms off and its rate by "
                + decimal(ratePpm)
                + " ppm: over a lease of " + lease.toMillis() + " ms it errs by at most " + ppm(rateOver(lease))
                + "; --drift-bound auto takes " + ppm(driftBound(lease));
    }

    /** The same for programs. */
    public JsonObject json(Duration lease) {
        JsonObject json = new JsonObject().put("source", source).put("synchronised", isSynchronised);
        json.putDecimal("offsetMillis", offset.toNanos() / MILLION).putDecimal("ratePpm", ratePpm);
        return json.putDecimal("driftBoundPpm", driftBound(lease) * MILLION);
    }

    private String millis() {
        return decimal(offset.toNanos() / MILLION);
    }

    static String ppm(double bound) {
        return decimal(bound * MILLION) + " ppm";
    }

    private static String decimal(double value) {
        return BigDecimal.valueOf(value)
                .setScale(3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
