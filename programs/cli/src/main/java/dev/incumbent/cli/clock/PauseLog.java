package dev.incumbent.cli.clock;

import dev.incumbent.cli.frame.At;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The longest pauses that this user's runs met on this host within thirty days, in the file {@code pauses} of the state folder: a line each,
 * {@code 2026-11-20T12:00:00Z 20000 paused}. Thread-safe, also between processes.
 */
public final class PauseLog {
    /** How far it goes back. */
    public static final Duration KEPT = Duration.ofDays(30);

    private static final int MOST = 100;
    private static final Object WITHIN_THIS_PROCESS = new Object();
    private static final Set<StandardOpenOption> OPEN =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;

    PauseLog(Path file) {
        this.file = file;
    }

    /** Empty where this user has no state folder. */
    public static Optional<PauseLog> of(Surroundings around) {
        try {
            return Optional.of(new PauseLog(At.stateFolder(around).resolve("pauses")));
        } catch (Refusal noHome) {
            return Optional.empty();
        }
    }

    /** One pause: when it had ended, how long it was, and what it was: {@code paused} or {@code suspended}. */
    public record Pause(Instant at, Duration length, String what) {
        private static Optional<Pause> parse(String line) {
            String[] words = line.split(" ", -1);
            try {
                return words.length == 3
                        ? Optional.of(new Pause(
                                Instant.parse(words[0]), Duration.ofMillis(Long.parseLong(words[1])), words[2]))
                        : Optional.empty();
            } catch (DateTimeParseException | NumberFormatException unreadable) {
                return Optional.empty();
            }
        }

        private String line() {
            return at + " " + length.toMillis() + " " + what + "\n";
        }
    }

    /** The longest of those that ended within thirty days before {@code now}. */
    public Optional<Pause> longest(Instant now) throws IOException {
        return Files.exists(file)
                ? kept(Files.readString(file), now).stream().max(Comparator.comparing(Pause::length))
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
            List<Pause> all = kept(new String(before, StandardCharsets.UTF_8), pause.at());
            all.add(pause);
            all.sort(Comparator.comparing(Pause::length).reversed());
            StringBuilder text = new StringBuilder();
            all.stream().limit(MOST).forEach(one -> text.append(one.line()));
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)), 0);
        }
    }

    private static List<Pause> kept(String text, Instant now) {
        List<Pause> kept = new ArrayList<>();
        text.lines()
                .flatMap(line -> Pause.parse(line).stream())
                .filter(pause -> pause.at().isAfter(now.minus(KEPT)))
                .forEach(kept::add);
        return kept;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
