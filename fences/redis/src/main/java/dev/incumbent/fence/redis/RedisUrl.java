package dev.incumbent.fence.redis;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a sink's URL names: {@code redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?prefix=P&ca=FILE]}, with {@code rediss} for TLS. Prints without the password.
 *
 * @param prefix what stands in the hash tag of the marks' keys
 * @param authority a file of certificates (PEM) to trust instead of this Java's own
 */
record RedisUrl(
        String host,
        int port,
        int database,
        String prefix,
        boolean tls,
        Optional<String> user,
        Optional<String> password,
        Optional<Path> authority) {
    private static final int DEFAULT_PORT = 6379;

    static boolean isOne(String url) {
        return url.startsWith("redis://") || url.startsWith("rediss://");
    }

    /** Reads one; a password that it does not bear may come from elsewhere. Its failures never show what stands before the {@code @}. */
    static RedisUrl parse(String url, Optional<String> passwordFromElsewhere) {
        String rest = url.substring(url.indexOf("://") + 3);
        int question = rest.lastIndexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        String beforeQuery = question < 0 ? rest : rest.substring(0, question);
        int at = beforeQuery.lastIndexOf('@');
        String place = beforeQuery.substring(at + 1);
        String credentials = at < 0 ? "" : beforeQuery.substring(0, at);
        int slash = place.indexOf('/');
        String address = slash < 0 ? place : place.substring(0, slash);
        int colon = address.lastIndexOf(':') > address.lastIndexOf(']') ? address.lastIndexOf(':') : -1;
        String host = colon < 0 ? address : address.substring(0, colon);
        int secret = credentials.indexOf(':');
        if (host.isEmpty() || host.contains(",")) {
            throw refused(place, "it names no HOST:PORT");
        }
        String prefix = parameter(query, "prefix").orElse("incumbent");
        if (!prefix.matches("[A-Za-z0-9._-]{1,64}")) {
            throw refused(place, "a prefix has 1 to 64 of the characters A-Z a-z 0-9 . _ -");
        }
        return new RedisUrl(
                host.replaceAll("[\\[\\]]", ""),
                colon < 0 ? DEFAULT_PORT : number(place, address.substring(colon + 1)),
                slash < 0 ? 0 : number(place, place.substring(slash + 1)),
                prefix,
                url.startsWith("rediss:"),
                Optional.of(decoded(secret < 0 ? credentials : credentials.substring(0, secret)))
                        .filter(name -> !name.isEmpty()),
                (secret < 0 ? Optional.<String>empty() : Optional.of(decoded(credentials.substring(secret + 1))))
                        .or(() -> passwordFromElsewhere)
                        .filter(word -> !word.isEmpty()),
                parameter(query, "ca").map(Path::of));
    }

    private static Optional<String> parameter(String query, String name) {
        for (String one : query.split("&", -1)) {
            if (one.startsWith(name + "=")) {
                return Optional.of(decoded(one.substring(name.length() + 1)));
            }
        }
        return Optional.empty();
    }

    private static int number(String place, String text) {
        if (!text.matches("\\d{1,6}")) {
            throw refused(place, "'" + text + "' is no number");
        }
        return Integer.parseInt(text);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException refused(String place, String why) {
        return new IllegalArgumentException("the sink redis://" + place + " cannot be opened: " + why);
    }

    String id() {
        return "{" + prefix + "}:sink";
    }

    String marks() {
        return "{" + prefix + "}:marks";
    }

    String markKeys() {
        return "{" + prefix + "}:mark:";
    }

    @Override
    public String toString() {
        return (tls ? "rediss://" : "redis://") + host + ":" + port + "/" + database
                + (prefix.equals("incumbent") ? "" : "?prefix=" + prefix);
    }
}
