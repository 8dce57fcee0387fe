package dev.incumbent.health;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Does the heap have room, after the last collection of the long-lived objects? What is garbage does not count, so a heap that is merely due for a collection is
 * well. Before the first such collection it is well, too.
 *
 * <p>The figure stays as it is until the next such collection. A process that does nothing may not have one for a long time; with G1,
 * {@code -XX:G1PeriodicGCInterval} asks for one.
 */
public final class HeapInUse implements HealthCheck {
    private final double percent;
    private final Supplier<Optional<MemoryUsage>> afterCollection;

    HeapInUse(double percent, Supplier<Optional<MemoryUsage>> afterCollection) {
        this.percent = Amounts.checkedPercent(percent);
        this.afterCollection = afterCollection;
    }

    /** At most so much of the heap is in use after a collection, of 100. */
    public static HeapInUse atMost(double percent) {
        Optional<MemoryPoolMXBean> pool = longLived();
        return new HeapInUse(percent, () -> pool.map(MemoryPoolMXBean::getCollectionUsage));
    }

    /** Of the pools of the heap only the one of long-lived objects has a threshold for its use; some collectors have one pool for all. */
    private static Optional<MemoryPoolMXBean> longLived() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()));
    }

    @Override
    public String name() {
        return "heap";
    }

    @Override
    public Answer ask(long nanos) {
        Optional<MemoryUsage> usage = afterCollection.get().filter(told -> told.getMax() > 0);
        if (usage.isEmpty()) {
            return Answer.well("is not measured by this collector");
        }
        long used = usage.get().getUsed();
        long most = usage.get().getMax();
        double share = Amounts.percentOf(used, most);
        String full = "was " + Amounts.percent(share) + " full after its last collection, " + Amounts.bytes(used)
                + " of " + Amounts.bytes(most);
        return share > percent ? Answer.sick(full + ", more than " + Amounts.percent(percent)) : Answer.well(full);
    }
}
