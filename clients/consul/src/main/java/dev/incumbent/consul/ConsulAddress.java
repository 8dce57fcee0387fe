package dev.incumbent.consul;

import dev.incumbent.model.ElectionName;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a Consul agent listens, and beneath which key everything lies: {@code consul://host:port/prefix}.
 *
 * <p>Parameters, each with the variable that Consul's own client takes: {@code token} ({@code CONSUL_HTTP_TOKEN}), {@code token-file}
 * ({@code CONSUL_HTTP_TOKEN_FILE}), {@code tls=true} ({@code CONSUL_HTTP_SSL}), {@code ca-file} ({@code CONSUL_CACERT}); and {@code session-ttl-min-ms}, where the
 * servers' {@code session_ttl_min} is not the usual 10 s. Its text never shows the token.
 */
public final class ConsulAddress {
    private static final String SCHEME = "consul";
    private static final String FORM = "write consul://host:port/prefix";
    private static final int PLAIN_PORT = 8500;
    private static final int TLS_PORT = 8501;
    private static final Duration USUAL_SHORTEST_SESSION = Duration.ofSeconds(10);

    private final URI base;
    private final String prefix;
    private final Optional<String> token;
    private final Optional<Path> authority;
    private final Duration shortestSession;

    private ConsulAddress(URI uri, Parameters parameters, String what) {
        boolean tls =
                parameters.take("tls", "CONSUL_HTTP_SSL").filter("true"::equals).isPresent();
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? TLS_PORT : PLAIN_PORT;
        base = URI.create((tls ? "https://" : "http://") + uri.getHost() + ":" + port);
        prefix = prefix(Optional.ofNullable(uri.getPath()).orElse(""));
        Optional<String> fromFile =
                parameters.take("token-file", "CONSUL_HTTP_TOKEN_FILE").map(ConsulAddress::firstLine);
        token = parameters.take("token", "CONSUL_HTTP_TOKEN").or(() -> fromFile);
        authority = parameters.take("ca-file", "CONSUL_CACERT").map(Path::of);
        shortestSession = parameters
                .take("session-ttl-min-ms", "")
                .map(ConsulAddress::millis)
                .orElse(USUAL_SHORTEST_SESSION);
        parameters.refuseUntaken(what);
    }

    /**
     * Reads a URI; what it does not tell is taken from these environment variables.
     *
     * @param what is asked for there, in the sentences of its failures: "coordinator"
     */
    public static ConsulAddress of(String at, String what, Map<String, String> environment) {
        URI uri;
        try {
            uri = new URI(at);
        } catch (URISyntaxException e) {
            throw ConsulException.malformed("the " + what + "'s URI cannot be read at its character "
                    + (e.getIndex() + 1) + ", " + e.getReason() + "; " + FORM);
        }
        if (!SCHEME.equals(uri.getScheme()) || uri.getHost() == null) {
            throw ConsulException.malformed("a " + what + " in Consul names its host; " + FORM);
        }
        if (uri.getUserInfo() != null) {
            throw ConsulException.malformed(
                    "Consul knows no users; give its token by CONSUL_HTTP_TOKEN or by ?token-file=PATH");
        }
        return new ConsulAddress(
                uri, new Parameters(Optional.ofNullable(uri.getQuery()).orElse(""), environment), what);
    }

    public URI base() {
        return base;
    }

    /** Without slashes at its ends. */
    public String prefix() {
        return prefix;
    }

    public Optional<String> token() {
        return token;
    }

    /** The certificate to trust, where it is not one that the JDK trusts. */
    public Optional<Path> authority() {
        return authority;
    }

    public Duration shortestSession() {
        return shortestSession;
    }

    /** As it was given, without its parameters. */
    public String uri() {
        return SCHEME + "://" + base.getAuthority() + "/" + prefix;
    }

    @Override
    public String toString() {
        return "Consul at " + base;
    }

    private static String prefix(String path) {
        String bare = path.replaceAll("^/|/$", "");
        try {
            return bare.isEmpty() ? "incumbent" : new ElectionName(bare).value();
        } catch (IllegalArgumentException e) {
            throw ConsulException.malformed(
                    "the prefix '" + bare + "' of keys in Consul is not of letters, digits and . _ / - alone; " + FORM);
        }
    }

    private static String firstLine(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw ConsulException.malformed("Consul's token file " + file + " cannot be read: " + e)
                    .because(e);
        }
    }

    private static Duration millis(String text) {
        try {
            return Duration.ofMillis(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw ConsulException.malformed(
                    "session-ttl-min-ms is a number of milliseconds, this one is '" + text + "'");
        }
    }

    /** What the query says, before what the environment says; each taken once. */
    private static final class Parameters {
        private final Map<String, String> query = new TreeMap<>();
        private final Map<String, String> environment;

        Parameters(String query, Map<String, String> environment) {
            this.environment = new HashMap<>(environment);
            if (!query.isEmpty()) {
                Arrays.stream(query.split("&", -1))
                        .map(pair -> pair.split("=", 2))
                        .forEach(pair -> this.query.put(pair[0], pair.length == 2 ? pair[1] : ""));
            }
        }

        Optional<String> take(String name, String variable) {
            return Optional.ofNullable(query.remove(name))
                    .or(() -> Optional.ofNullable(environment.get(variable)))
                    .filter(value -> !value.isEmpty());
        }

        void refuseUntaken(String what) {
            if (!query.isEmpty()) {
                throw ConsulException.malformed("a " + what + " in Consul has no parameter "
                        + String.join(", ", query.keySet())
                        + "; it has token, token-file, tls, ca-file, session-ttl-min-ms");
            }
        }
    }
}
