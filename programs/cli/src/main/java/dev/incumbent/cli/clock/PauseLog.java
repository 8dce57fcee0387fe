package dev.incumbent.cli.clock;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The longest pauses that this user's runs met on this host within thirty days, in the file {@code pauses} of the state folder, which hosts may share: a line each,
 * {@code 2026-11-20T12:00:00Z 20000 paused ledger-1}. A line without a host is of an earlier version and counts for every host. Thread-safe, also between processes.
 */
public final class PauseLog {
    /** How far it goes back. */
    public static final Duration KEPT = Duration.ofDays(30);

    /** Of each host. */
    private static final int MOST = 100;

    private static final Object WITHIN_THIS_PROCESS = new Object();
    private static final Set<StandardOpenOption> OPEN =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final String host;

    PauseLog(Path file, String host) {
        this.file = file;
        this.host = host;
    }

    /** Empty where this user has no state folder. */
    public static Optional<PauseLog> of(Surroundings around) {
        try {
            String host = OperatorName.host(around).replaceAll("[^!-~]", "_");
            return Optional.of(new PauseLog(At.stateFolder(around).resolve("pauses"), host));
        } catch (Refusal noHome) {
            return Optional.empty();
        }
    }

    /** One pause: when it had ended, how long it was, and what it was: {@code paused} or {@code suspended}. */
    public record Pause(Instant at, Duration length, String what) {}

    /** A line; its host is empty where an earlier version wrote it. */
    private record Line(Pause pause, String host) {
        private static Optional<Line> parse(String line) {
            String[] words = line.split(" ", -1);
            if (words.length != 3 && words.length != 4) {
                return Optional.empty();
            }
            try {
                Pause pause = new Pause(Instant.parse(words[0]), Duration.ofMillis(Long.parseLong(words[1])), words[2]);
                return Optional.of(new Line(pause, words.length == 4 ? words[3] : ""));
            } catch (DateTimeParseException | NumberFormatException unreadable) {
                return Optional.empty();
            }
        }

        private boolean isOf(String asked) {
            return host.isEmpty() || host.equals(asked);
        }

        private String text() {
            return pause.at() + " " + pause.length().toMillis() + " " + pause.what()
                    + (host.isEmpty() ? "" : " " + host) + "\n";
        }
    }

    /** The longest of those on this host that ended within thirty days before {@code now}. */
    public Optional<Pause> longest(Instant now) throws IOException {
        return Files.exists(file)
                ? kept(Files.readString(file), now).stream()
                        .filter(line -> line.isOf(host))
                        .map(Line::pause)
                        .max(Comparator.comparing(Pause::length))
                : Optional.empty();
    }

    /** Blocks; others wait meanwhile. */
    public void add(Pause pause) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        synchronized (WITHIN_THIS_PROCESS) {
            write(pause);
        }
    }

    @SuppressWarnings("try")
    private void write(Pause pause) throws IOException {
        try (FileChannel channel = FileChannel.open(file, OPEN, PRIVATE);
                FileLock unused = channel.lock()) {
            byte[] before = Channels.newInputStream(channel).readAllBytes();
            List<Line> all = kept(new String(before, StandardCharsets.UTF_8), pause.at());
            all.add(new Line(pause, host));
            all.sort(Comparator.comparing((Line line) -> line.pause().length()).reversed());
            StringBuilder text = new StringBuilder();
            Map<String, Integer> ofHost = new HashMap<>();
            all.stream()
                    .filter(line -> ofHost.merge(line.host(), 1, Integer::sum) <= MOST)
                    .forEach(line -> text.append(line.text()));
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)), 0);
        }
    }

    private static List<Line> kept(String text, Instant now) {
        List<Line> kept = new ArrayList<>();
        text.lines()
                .flatMap(line -> Line.parse(line).stream())
                .filter(line -> line.pause().at().isAfter(now.minus(KEPT)))
                .forEach(kept::add);
        return kept;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
