package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.model.LeaderRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A copy of the replicated table as of one position in the log, as it lies in a file: lines of text. The first ones are the header, of which the last holds the sum of all other bytes of
 * the file; the rest is the table.
 *
 * @param content the table's lines, as a node's own snapshots have them
 */
public record Snapshot(Header header, List<String> content) {
    /** Of files that this build reads and writes; the table's own format is its level. */
    static final int FORMAT = 1;

    private static final String FIRST = "INCUMBENT-SNAPSHOT";
    private static final String SUM = "SHA-256";
    private static final int HEADER_LINES = 7;

    /**
     * What the table is a copy of.
     *
     * @param cluster the quorum's id
     * @param node who saved it
     * @param level what a build must know to read it
     * @param index the position in the log: all up to there is in the copy, and nothing beyond
     * @param epoch the leadership of the nodes that wrote the log there; empty before the first
     * @param taken by the clock of the node, for people
     */
    public record Header(String cluster, String node, int level, long index, String epoch, Instant taken) {
        private List<String> lines() {
            return List.of(
                    Line.of(FIRST, Integer.toString(FORMAT)),
                    Line.of("CLUSTER", cluster),
                    Line.of("NODE", node),
                    Line.of("LEVEL", Integer.toString(level)),
                    Line.of("AT", Long.toString(index), epoch),
                    Line.of("TAKEN", taken.toString()));
        }

        /** Throws a RuntimeException where a line is none of a header's. */
        private static Header of(List<String> lines) {
            List<String> at = Line.fields(lines.get(4));
            Header read = new Header(
                    Line.fields(lines.get(1)).get(1),
                    Line.fields(lines.get(2)).get(1),
                    Integer.parseInt(Line.fields(lines.get(3)).get(1)),
                    Long.parseLong(at.get(1)),
                    at.get(2),
                    Instant.parse(Line.fields(lines.get(5)).get(1)));
            if (!read.lines().equals(lines.subList(0, HEADER_LINES - 1))) {
                throw new IllegalArgumentException("its header is written in another way");
            }
            return read;
        }
    }

    public Snapshot {
        content = List.copyOf(content);
    }

    /** The file's lines, the sum among them. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(header.lines());
        lines.add(Line.of(SUM, sum()));
        lines.addAll(content);
        return lines;
    }

    /** Of all that the file holds besides. */
    public String sum() {
        return sum(header.lines(), content);
    }

    /** The sum of the table alone: equal for equal tables, whoever saved them. */
    public String state() {
        return sum(List.of(), content);
    }

    /** Reads a file and checks all of it: its sum, its format, and that this build understands every line. */
    public static Snapshot read(Path file) throws IOException {
        return of(file.toString(), Files.readAllBytes(file));
    }

    /** The same of a file's bytes. */
    static Snapshot of(String name, byte[] bytes) {
        List<String> lines = lines(bytes);
        if (lines.size() < HEADER_LINES || !Line.fields(lines.get(0)).get(0).equals(FIRST)) {
            throw new UnusableSnapshot(name + " is no snapshot of a quorum, or only the beginning of one");
        }
        if (!lines.get(0).equals(Line.of(FIRST, Integer.toString(FORMAT)))) {
            throw new UnusableSnapshot(
                    name + " is of format " + UnknownFormat.shown(lines.get(0).substring(FIRST.length()))
                            + ", and this build reads format " + FORMAT + "; use a newer build");
        }
        if (!lines.get(HEADER_LINES - 1).equals(Line.of(SUM, sumAround(bytes)))) {
            throw new UnusableSnapshot(name + " is not as it was written: its sum differs; use another copy of it");
        }
        Snapshot read = new Snapshot(header(name, lines), lines.subList(HEADER_LINES, lines.size()));
        read.refuseUnknown(name);
        return read;
    }

    private static Header header(String name, List<String> lines) {
        try {
            return Header.of(lines);
        } catch (RuntimeException notUnderstood) {
            throw new UnusableSnapshot(name + " has a header that this build does not understand ("
                    + notUnderstood.getMessage() + "); use a newer build");
        }
    }

    /** Each ends in a line feed; what follows the last one is none. */
    private static List<String> lines(byte[] bytes) {
        List<String> lines = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines.add(new String(bytes, begin, i - begin, StandardCharsets.UTF_8));
                begin = i + 1;
            }
        }
        return lines;
    }

    /** Of all bytes but those of the line that holds it. */
    private static String sumAround(byte[] bytes) {
        int begin = 0;
        int end = 0;
        for (int line = 0; line < HEADER_LINES; line++) {
            begin = end;
            while (bytes[end] != '\n') {
                end++;
            }
            end++;
        }
        MessageDigest digest = digest();
        digest.update(bytes, 0, begin);
        digest.update(bytes, end, bytes.length - end);
        return HexFormat.of().formatHex(digest.digest());
    }

    private void refuseUnknown(String name) {
        if (header.level() > Entry.SUPPORTED) {
            throw new UnusableSnapshot(name + " is of level " + header.level() + ", and this build knows levels up to "
                    + Entry.SUPPORTED + "; use a newer build");
        }
        try {
            int level = table().level();
            if (level != header.level()) {
                throw new UnknownFormat(
                        "its header says level " + header.level() + ", and the table is of level " + level);
            }
        } catch (UnknownFormat unknown) {
            throw new UnusableSnapshot(
                    name + " is not understood by this build: " + unknown.getMessage() + "; use a newer build");
        }
    }

    /** An election, with its record; without where this build must not write it: it cannot read it, or does not know what it requires. */
    public record Election(String name, Optional<LeaderRecord> record) {}

    /** In the order of their names. */
    public List<Election> elections() {
        return content.stream()
                .map(Line::fields)
                .filter(is -> is.get(0).equals("ELECTION"))
                .map(is -> new Election(is.get(1), Restoration.record(is.get(5))))
                .toList();
    }

    /** How many leases lived. */
    public long leases() {
        return content.stream().filter(line -> line.startsWith("LEASE\t")).count();
    }

    /** What the lines say. */
    LeaseTable table() {
        LeaseTable table = new LeaseTable(Entry.SUPPORTED);
        table.restore(content);
        return table;
    }

    private static String sum(List<String> before, List<String> after) {
        MessageDigest digest = digest();
        before.forEach(line -> add(digest, line));
        after.forEach(line -> add(digest, line));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, String line) {
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
