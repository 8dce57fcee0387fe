package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node knows of the disks of all members. It is kept on each disk and told to whoever asks, so that a disk that was wiped, replaced or put
 * back from a copy is known by the others.
 *
 * @param cluster names this quorum since it was formatted; empty before
 */
record Roll(String cluster, Map<String, Disk> disks) {
    static final Roll EMPTY = new Roll("", Map.of());
    private static final String CLUSTER = "CLUSTER";
    private static final String DISK = "DISK";

    Roll {
        disks = Map.copyOf(disks);
    }

    /**
     * One member's disk.
     *
     * @param generation grows when a member comes with another disk and was told to
     * @param beats counts the starts on it and the seconds in use, a few at a time, each made durable before it is told: who comes with fewer than
     *     the others know was put back from a copy
     */
    record Disk(long generation, String id, long beats) {
        boolean isLaterThan(Disk other) {
            return generation != other.generation ? generation > other.generation : beats > other.beats;
        }
    }

    boolean isFormatted() {
        return !cluster.isEmpty();
    }

    Optional<Disk> disk(String member) {
        return Optional.ofNullable(disks.get(member));
    }

    Roll with(String member, Disk disk) {
        Map<String, Disk> more = new TreeMap<>(disks);
        more.put(member, disk);
        return new Roll(cluster, more);
    }

    Roll inCluster(String id) {
        return new Roll(id, disks);
    }

    /** All that either knows, of each disk the later; of this cluster alone. */
    Roll merged(Roll other) {
        if (!cluster.equals(other.cluster)) {
            return this;
        }
        Map<String, Disk> all = new TreeMap<>(disks);
        other.disks.forEach((name, disk) -> all.merge(name, disk, (mine, its) -> its.isLaterThan(mine) ? its : mine));
        return new Roll(cluster, all);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(Line.of(CLUSTER, cluster)));
        new TreeMap<>(disks)
                .forEach((name, disk) -> lines.add(
                        Line.of(DISK, name, Long.toString(disk.generation()), disk.id(), Long.toString(disk.beats()))));
        return lines;
    }

    /** The roll of lines; others among them are passed over. */
    static Roll of(List<String> lines) {
        String cluster = "";
        Map<String, Disk> disks = new TreeMap<>();
        for (String line : lines) {
            List<String> is = Line.fields(line);
            if (is.get(0).equals(CLUSTER)) {
                cluster = Objects.requireNonNull(is.get(1));
            } else if (is.get(0).equals(DISK)) {
                disks.put(is.get(1), new Disk(Long.parseLong(is.get(2)), is.get(3), Long.parseLong(is.get(4))));
            }
        }
        return new Roll(cluster, disks);
    }
}
