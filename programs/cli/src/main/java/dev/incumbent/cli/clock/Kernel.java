package dev.incumbent.cli.clock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel tells by {@code adjtimex}, as {@code incumbent-supervisor --clock} prints it. */
final class Kernel {
    static final String SOURCE = "the kernel (adjtimex)";

    /** {@code TIME_ERROR}: the clock is not synchronised. */
    private static final long TIME_ERROR = 5;
    /** {@code STA_UNSYNC}. */
    private static final long UNSYNCHRONISED = 0x40;

    private static final double PPM = 65_536;

    private Kernel() {}

    /**
     * Reads the line; empty where it is none. While nobody disciplines the clock, the kernel lets {@code maxerror} grow by its {@code tolerance}, 500 ppm: that is its own
     * bound on the frequency's error.
     */
    static Optional<ClockError> parse(String line) {
        OptionalLong state = field(line, "state");
        OptionalLong status = field(line, "status");
        OptionalLong maxError = field(line, "maxerror");
        OptionalLong tolerance = field(line, "tolerance");
        if (state.isEmpty() || status.isEmpty() || maxError.isEmpty() || tolerance.isEmpty()) {
            return Optional.empty();
        }
        boolean isSynchronised = state.getAsLong() != TIME_ERROR && (status.getAsLong() & UNSYNCHRONISED) == 0;
        Duration offset = Duration.ofNanos(Math.max(0, maxError.getAsLong()) * 1_000);
        return Optional.of(new ClockError(SOURCE, isSynchronised, offset, tolerance.getAsLong() / PPM));
    }

    private static OptionalLong field(String line, String name) {
        Matcher field = Pattern.compile('"' + name + "\":(-?\\d{1,18})[,}]").matcher(line);
        return field.find() ? OptionalLong.of(Long.parseLong(field.group(1))) : OptionalLong.empty();
    }
}
