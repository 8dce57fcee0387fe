package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.wire.Reread;
import dev.incumbent.wire.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Who may do what, in a file with a line each: {@code TOKEN PREFIX read|campaign|watchdog|operate} over a port, {@code user:NAME PREFIX …} over a Unix socket. Empty lines
 * and lines that begin with {@code #} are passed over. The file is read again when it changes; while it cannot be read, it says what it said before. Thread-safe.
 * Names no secret.
 */
public final class Rights {
    private static final int MOST_LINES = 1_000;
    private static final int LEAST_CHARACTERS = 16;
    private static final String SCHEME = "Bearer ";
    private static final String USER = "user:";
    private static final String ALL = "*";

    private final Reread<List<Line>> lines;

    private record Line(Optional<String> user, String token, Grant grant) {}

    private Rights(Path file, Consumer<String> says) throws IOException {
        this.lines = new Reread<>(
                List.of(file),
                () -> read(file),
                e -> says.accept("the former rights stay, for their file cannot be read: "
                        + (e instanceof IllegalArgumentException ? e.getMessage() : e)));
    }

    /**
     * Reads the file for the first time. A failure repeats no token.
     *
     * @param says hears why the file cannot be read any more, once for each reason
     * @throws IllegalArgumentException if a line is not written so
     */
    public static Rights of(Path file, Consumer<String> says) throws IOException {
        return new Rights(file, says);
    }

    /** What the header {@code Authorization} gives; empty if its token is unknown. Every token is compared, in a time that tells nothing of it. */
    List<Grant> grants(String authorization) {
        byte[] shown = authorization.getBytes(StandardCharsets.UTF_8);
        List<Grant> grants = new ArrayList<>();
        for (Line line : lines.now()) {
            boolean isShown = MessageDigest.isEqual((SCHEME + line.token).getBytes(StandardCharsets.UTF_8), shown);
            if (isShown && line.user.isEmpty()) {
                grants.add(line.grant);
            }
        }
        return grants;
    }

    /** What a user of this host may do over a Unix socket, as the kernel names that one; empty if no line does. */
    List<Grant> grantsOf(String user) {
        return lines.now().stream()
                .filter(line -> line.user.filter(user::equals).isPresent())
                .map(Line::grant)
                .toList();
    }

    /** Does it name users? Then others than the agent's own may connect to its sockets. */
    boolean nameUsers() {
        return lines.now().stream().anyMatch(line -> line.user.isPresent());
    }

    private static List<Line> read(Path file) throws IOException {
        List<Line> read = new ArrayList<>();
        int number = 0;
        for (String text : Files.readAllLines(file)) {
            number++;
            if (!text.isBlank() && !text.startsWith("#")) {
                read.add(line("line " + number + " of the file of rights " + file, text));
            }
        }
        if (read.isEmpty() || read.size() > MOST_LINES) {
            throw new IllegalArgumentException(
                    "the file of rights " + file + " has " + read.size() + " lines; it has 1 to " + MOST_LINES);
        }
        return List.copyOf(read);
    }

    private static Line line(String where, String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException(where + " has " + words.length
                    + " words; it is TOKEN PREFIX read|campaign|watchdog|operate, or user:NAME in the place of TOKEN");
        }
        Right right = Right.of(words[2])
                .orElseThrow(() ->
                        new IllegalArgumentException(where + " ends in none of read, campaign, watchdog and operate"));
        Grant grant = new Grant(prefix(where, words[1]), right);
        if (words[0].equals(USER)) {
            throw new IllegalArgumentException(where + " names no user behind " + USER);
        }
        if (words[0].startsWith(USER)) {
            return new Line(Optional.of(words[0].substring(USER.length())), "", grant);
        }
        if (words[0].length() < LEAST_CHARACTERS) {
            throw new IllegalArgumentException(
                    where + " has a token of fewer than " + LEAST_CHARACTERS + " characters");
        }
        return new Line(Optional.empty(), Secret.in(where, words[0]), grant);
    }

    private static Optional<Prefix> prefix(String where, String text) {
        Optional<Prefix> prefix = Prefix.ifLegal(text);
        if (prefix.isEmpty() && !text.equals(ALL)) {
            throw new IllegalArgumentException(where + " has a prefix that is no election's name, no NAME/ and not *");
        }
        return prefix;
    }
}
