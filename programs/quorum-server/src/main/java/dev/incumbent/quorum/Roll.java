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
 * @param members who they are, where the log has told
 */
record Roll(String cluster, Map<String, Disk> disks, Members members) {
    static final Roll EMPTY = new Roll("", Map.of());
    private static final String CLUSTER = "CLUSTER";
    private static final String DISK = "DISK";

    Roll {
        disks = Map.copyOf(disks);
    }

    Roll(String cluster, Map<String, Disk> disks) {
        this(cluster, disks, Members.UNKNOWN);
    }

    /**
     * One member's disk.
     *
     * @param generation grows when a member comes with another disk: by one if it was told to come back, to the position in the log of the change of the
     *     membership otherwise
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
        return new Roll(cluster, more, members);
    }

    Roll inCluster(String id) {
        return new Roll(id, disks, members);
    }

    /** The same, with the later list of members; of this cluster alone. */
    Roll withMembersOf(Roll other) {
        return cluster.equals(other.cluster) ? new Roll(cluster, disks, members.later(other.members)) : this;
    }

    /** All that either knows, of each disk the later; of this cluster alone. */
    Roll merged(Roll other) {
        if (!cluster.equals(other.cluster)) {
            return this;
        }
        Map<String, Disk> all = new TreeMap<>(disks);
        other.disks.forEach((name, disk) -> all.merge(name, disk, (mine, its) -> its.isLaterThan(mine) ? its : mine));
        return new Roll(cluster, all, members.later(other.members));
    }

    /** The same, as the log says from that position on: a member that comes with another disk has a later generation from then on. */
    Roll configured(Members now) {
        if (now.index() <= members.index() || now.peers().equals(members.peers())) {
            return this;
        }
        Map<String, Disk> all = new TreeMap<>(disks);
        for (Replica.Peer peer : now.peers()) {
            all.merge(
                    peer.member().name(),
                    new Disk(now.index(), peer.disk(), 0),
                    (known, next) -> known.id().equals(next.id())
                            ? known
                            : new Disk(Math.max(known.generation() + 1, now.index()), next.id(), 0));
        }
        return new Roll(cluster, all, now);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(Line.of(CLUSTER, cluster)));
        new TreeMap<>(disks)
                .forEach((name, disk) -> lines.add(
                        Line.of(DISK, name, Long.toString(disk.generation()), disk.id(), Long.toString(disk.beats()))));
        if (members.areKnown()) {
            lines.add(members.line());
        }
        return lines;
    }

    /** The roll of lines; others among them are passed over. */
    static Roll of(List<String> lines) {
        String cluster = "";
        Map<String, Disk> disks = new TreeMap<>();
        Members members = Members.UNKNOWN;
        for (String line : lines) {
            List<String> is = Line.fields(line);
            if (is.get(0).equals(CLUSTER)) {
                cluster = Objects.requireNonNull(is.get(1));
            } else if (is.get(0).equals(DISK)) {
                disks.put(is.get(1), new Disk(Long.parseLong(is.get(2)), is.get(3), Long.parseLong(is.get(4))));
            } else if (is.get(0).equals(Members.WORD)) {
                members = Members.of(is);
            }
        }
        return new Roll(cluster, disks, members);
    }
}
