package dev.incumbent.agent.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The page for browsers, and the files that it names. They tell nothing of elections, so they are open to all. Thread-safe. */
final class Dashboard {
    /** The page loads from this agent alone, runs no script of its own text, makes no HTML from texts, sends no form, and stands in no frame. */
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin");

    private static final String FOLDER = "/dev/incumbent/agent/dashboard/";
    private static final String PAGE = "index.html";
    private static final List<String> FILES = List.of(
            "dashboard.css",
            "dashboard.js",
            "agent.js",
            "alarms.js",
            "dialog.js",
            "election.js",
            "list.js",
            "words.js",
            "icon.svg");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final String page = text(PAGE);
    private final Map<String, String> files =
            FILES.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), Dashboard::text));

    private static String text(String name) {
        try (InputStream file = Objects.requireNonNull(Dashboard.class.getResourceAsStream(FOLDER + name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page itself. */
    void page(Exchange exchange) {
        exchange.file(type(PAGE), page, HEADERS);
    }

    /** A file of the page. */
    void file(Exchange exchange, String name) {
        String text = Optional.ofNullable(files.get(name))
                .orElseThrow(() -> new Problem(404, "the dashboard has no such file"));
        exchange.file(type(name), text, HEADERS);
    }

    private static String type(String name) {
        return Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1)), name);
    }
}
