package dev.incumbent.agent.http;

import dev.incumbent.model.ElectionName;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/**
 * What a request asks for.
 *
 * @param path the segments of its path, decoded
 * @param query its parameters
 */
record Asked(String method, List<String> path, Map<String, String> query) {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

    static Asked of(Request request) {
        String path = Optional.ofNullable(request.getHttpURI().getPath()).orElse("/");
        String query = Optional.ofNullable(request.getHttpURI().getQuery()).orElse("");
        List<String> segments = Arrays.stream(path.substring(1).split("/", -1))
                .map(Asked::decoded)
                .toList();
        return new Asked(request.getMethod(), segments, parameters(query));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new TreeMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0
                    && parameters.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)))
                            != null) {
                throw Problem.unclear("a parameter of the query stands twice");
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException broken) {
            throw Problem.unclear("the address has a % that begins no code");
        }
    }

    /** The election of an address beneath {@code /v1/elections}. */
    ElectionName election() {
        return election(2);
    }

    /** The election that a segment of the path names. */
    ElectionName election(int segment) {
        return named(path.get(segment));
    }

    /** The file that an address beneath {@code /dashboard} names. */
    String file() {
        return path.get(1);
    }

    /** The candidacy that the address names. */
    String id() {
        return path.get(4);
    }

    /** The election of that name, as a request writes it. */
    static ElectionName named(String text) {
        try {
            return new ElectionName(text);
        } catch (IllegalArgumentException illegal) {
            throw Problem.unclear(String.valueOf(illegal.getMessage()));
        }
    }

    /** The election that a parameter of the query names, if it is there. */
    Optional<ElectionName> election(String parameter) {
        return Optional.ofNullable(query.get(parameter)).map(Asked::named);
    }

    /** A duration of the query, such as {@code 500ms}, {@code 2s} or {@code 1m}; zero if it is not there. */
    Duration duration(String name) {
        String text = query.getOrDefault(name, "0s");
        Matcher written = DURATION.matcher(text);
        if (!written.matches()) {
            throw Problem.unclear("'" + name + "' is no duration; durations are written 500ms, 2s or 1m");
        }
        long number = Long.parseLong(written.group(1));
        return switch (written.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    /** A token of the query, at least 1. */
    long token(String name) {
        long token = whole(name);
        if (token < 1) {
            throw Problem.unclear("'" + name + "' is a token of 1 or more");
        }
        return token;
    }

    /** A whole number of the query. */
    long whole(String name) {
        try {
            return Long.parseLong(query.getOrDefault(name, ""));
        } catch (NumberFormatException none) {
            throw Problem.unclear("'" + name + "' is missing or no whole number");
        }
    }
}
