package dev.incumbent.cli.clock;

import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How much the rate of a clock may err, as a flag tells it: a number, or what this machine's clock is vouched for.
 *
 * @param given empty for {@code auto}
 */
public record DriftBound(OptionalDouble given) {
    public static final DriftBound STANDARD = new DriftBound(OptionalDouble.of(Timing.DRIFT_BOUND));

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,12})?)(ppm|%|)");
    /** A clock worse than that serves nobody. */
    private static final double GREATEST = 0.1;

    /** {@code auto}, {@code 0.001}, {@code 1000ppm} or {@code 0.1%}. */
    public static DriftBound parse(String text) {
        if (text.equals("auto")) {
            return new DriftBound(OptionalDouble.empty());
        }
        Matcher number = NUMBER.matcher(text);
        double bound = number.matches() ? Double.parseDouble(number.group(1)) / divisor(number.group(2)) : -1;
        if (bound < 0 || bound > GREATEST) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no drift bound; write auto, or 0 to 0.1 as 0.001, 1000ppm or 0.1%");
        }
        return new DriftBound(OptionalDouble.of(bound));
    }

    private static double divisor(String unit) {
        return switch (unit) {
            case "ppm" -> 1_000_000;
            case "%" -> 100;
            default -> 1;
        };
    }

    /** Does it follow from what this machine's clock is known for? */
    public boolean isAutomatic() {
        return given.isEmpty();
    }

    /** The bound for such a lease. Whoever asked for {@code auto} is told where nobody vouches for this machine's clock. */
    public double over(Duration lease, Supplier<Optional<ClockError>> clock, Consumer<String> warn) {
        if (given.isPresent()) {
            return given.getAsDouble();
        }
        Optional<ClockError> error = clock.get();
        if (error.isEmpty()) {
            warn.accept(
                    "--drift-bound auto: neither chrony nor the kernel tells anything of this machine's clock; the drift bound of "
                            + ClockError.ppm(Timing.DRIFT_BOUND) + " stays");
        } else if (!error.get().isSynchronised()) {
            warn.accept("--drift-bound auto: " + error.get().sentence(lease));
        }
        return error.map(one -> one.driftBound(lease)).orElse(Timing.DRIFT_BOUND);
    }

    /** For the flag. */
    public static final class Converter implements ITypeConverter<DriftBound> {
        @Override
        public DriftBound convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(refused.getMessage());
            }
        }
    }
}
