package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the folder of a node holds that is to begin with a snapshot and not with an empty table, until its log is made of it. The name of the disk bears the seed's own name, so that the members
 * see from each other's disks whether all begin with the same.
 *
 * @param lift by how much each term is lifted
 * @param quiet how long the node stays out of the quorum after its start: by then every lease of the lost quorum is over, also one that the snapshot does not know
 */
record Seed(long lift, Duration quiet, Snapshot snapshot) {
    private static final String FILE = "seed";
    private static final String WORD = "SEED";
    private static final Pattern DISK = Pattern.compile("[0-9a-f]{8}-seed-([0-9a-f]{8})");

    /** The seed of a folder, if it is to begin with one. */
    static Optional<Seed> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        try {
            List<String> is = Line.fields(new String(bytes, 0, end, StandardCharsets.UTF_8));
            Snapshot snapshot = Snapshot.of(
                    file.toString(), Arrays.copyOfRange(bytes, Math.min(end + 1, bytes.length), bytes.length));
            return Optional.of(
                    new Seed(Long.parseLong(is.get(1)), Duration.ofMillis(Long.parseLong(is.get(2))), snapshot));
        } catch (UnusableSnapshot | IndexOutOfBoundsException | NumberFormatException damaged) {
            throw new NodeRefusal("the file " + file + " is not as it was written (" + damaged.getMessage()
                    + "): empty the folder, and restore it once more");
        }
    }

    void write(Path folder) throws IOException {
        List<String> lines =
                new ArrayList<>(List.of(Line.of(WORD, Long.toString(lift), Long.toString(quiet.toMillis()))));
        lines.addAll(snapshot.lines());
        Path next = folder.resolve(FILE + ".next");
        Durably.writePrivately(next, lines);
        Durably.rename(next, folder.resolve(FILE));
    }

    /** Its log is made of it: it is not needed any more. */
    static void remove(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(FILE));
    }

    /** The id of a new disk that begins with this. */
    String disk() {
        return UUID.randomUUID().toString().substring(0, 8) + "-seed-" + name();
    }

    /** The same for all that comes to the same table. */
    private String name() {
        String all = Line.of(Long.toString(lift), snapshot.sum());
        return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
    }

    /** What a new quorum of that id begins with. */
    Restoration restoration(String cluster) {
        return new Restoration(snapshot, cluster, lift);
    }

    /** The seed that a disk of that id began with, or is to; empty where it began with nothing. */
    static String of(String disk) {
        Matcher seeded = DISK.matcher(disk);
        return seeded.matches() ? seeded.group(1) : "";
    }

    /** Why that disk does not begin as the folder says. */
    static Optional<String> objection(Marker own, Optional<Seed> found) {
        String expected = of(own.disk());
        boolean isThere = found.map(seed -> seed.name().equals(expected)).orElse(expected.isEmpty());
        return isThere
                ? Optional.empty()
                : Optional.of("its disk was restored from a snapshot, and that lies there no more or is another:"
                        + " empty the folder, and restore it once more");
    }

    /** Why those disks do not begin a quorum together. */
    static Optional<String> objection(Marker own, Map<String, Roll.Disk> disks) {
        String expected = of(own.disk());
        return disks.entrySet().stream()
                .filter(disk -> !of(disk.getValue().id()).equals(expected))
                .findFirst()
                .map(other -> expected.isEmpty()
                        ? "node " + other.getKey() + " was restored from a snapshot, and this one was not: restore all"
                        : "this node was restored from a snapshot, and node " + other.getKey()
                                + (of(other.getValue().id()).isEmpty() ? " was not" : " from another or otherwise")
                                + ": restore all nodes from one file with the same flags");
    }
}
