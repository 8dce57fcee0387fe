package dev.incumbent.health;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Supplier;

/** May this process open more files and connections? Compares its open file descriptors with its limit. On Windows there is no limit, and it is always well. */
public final class OpenFiles implements HealthCheck {
    private final double percent;
    private final Supplier<Optional<Count>> counting;

    /** How many there are, and how many there may be. */
    record Count(long open, long limit) {}

    OpenFiles(double percent, Supplier<Optional<Count>> counting) {
        this.percent = Amounts.checkedPercent(percent);
        this.counting = counting;
    }

    /** At most so much of the limit is in use, of 100. */
    public static OpenFiles atMost(double percent) {
        return new OpenFiles(percent, OpenFiles::count);
    }

    private static Optional<Count> count() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? Optional.of(new Count(unix.getOpenFileDescriptorCount(), unix.getMaxFileDescriptorCount()))
                : Optional.empty();
    }

    @Override
    public String name() {
        return "this process";
    }

    @Override
    public Answer ask(long nanos) {
        Optional<Count> count = counting.get();
        if (count.isEmpty()) {
            return Answer.well("has no limit of open files");
        }
        String has = "has " + count.get().open() + " of " + count.get().limit() + " file descriptors open";
        return Amounts.percentOf(count.get().open(), count.get().limit()) > percent
                ? Answer.sick(has + ", more than " + Amounts.percent(percent))
                : Answer.well(has);
    }
}
