package dev.incumbent.coordinator.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What runs inside a server, in one step. Sent as text each time, which the server compiles once: a restarted server needs no second question, and a script
 * that it does not know cannot be mistaken for one that failed.
 */
enum Script {
    GRANT,
    KEEP,
    REVOKE,
    READ("state"),
    SWAP("state"),
    ENLIST("state"),
    WITHDRAW,
    CANDIDATES("state"),
    ELECTIONS("state"),
    VERSION("state"),
    PREPARE("ballots"),
    ACCEPT("ballots"),
    LOOK("state"),
    LEASES("state"),
    NAMES("state");

    private final String text;

    Script(String... parts) {
        text = List.of(parts).stream().map(Script::resource).collect(Collectors.joining())
                + resource(name().toLowerCase(Locale.ROOT));
    }

    String text() {
        return text;
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("the script " + name + ".lua is missing from this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
