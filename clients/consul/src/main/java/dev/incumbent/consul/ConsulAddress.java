package dev.incumbent.consul;

import dev.incumbent.model.ElectionName;
import dev.incumbent.wire.Secret;
import dev.incumbent.wire.SecretFile;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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
    private final Optional<Supplier<String>> token;
    private final Optional<Path> authority;
    private final Duration shortestSession;

    private ConsulAddress(StoreUri uri, Map<String, String> environment) {
        Optional<Path> named = uri.parameters().take("ca-file").map(Path::of);
        boolean tls = tls(uri, named, environment);
        base = URI.create((tls ? "https://" : "http://")
                + uri.hosts(tls ? TLS_PORT : PLAIN_PORT).get(0));
        if (base.getHost() == null) {
            throw uri.refused("its host has a character that no name of a host has");
        }
        prefix = prefix(uri);
        token = token(uri, environment);
        authority = named.or(() -> variable("CONSUL_CACERT", environment).map(Path::of));
        shortestSession = uri.parameters()
                .take("session-ttl-min-ms")
                .map(text -> millis(uri, text))
                .orElse(USUAL_SHORTEST_SESSION);
        uri.parameters().refuseOthers();
    }

    /**
     * Reads a URI; what it does not tell is taken from these environment variables.
     *
     * @param what is asked for there, in the sentences of its failures: "coordinator"
     */
    public static ConsulAddress of(String at, String what, Map<String, String> environment) {
        try {
            StoreUri uri = StoreUri.parse(at);
            if (!SCHEME.equals(uri.scheme()) || uri.hosts(PLAIN_PORT).size() != 1) {
                throw uri.refused("it names one agent of Consul");
            }
            if (uri.user().isPresent() || uri.password().isPresent()) {
                throw uri.refused("Consul knows no users; give its token by CONSUL_HTTP_TOKEN or by ?token-file=PATH");
            }
            return new ConsulAddress(uri, environment);
        } catch (UriException e) {
            throw ConsulException.malformed("the " + what + " " + e.getMessage() + "; " + FORM);
        }
    }

    /** A certificate that the URI names means TLS: nothing is sent in plain text because of a parameter that was forgotten, or said otherwise. */
    private static boolean tls(StoreUri uri, Optional<Path> named, Map<String, String> environment) {
        Optional<Boolean> asked = uri.parameters().takeFlag("tls");
        if (named.isPresent() && asked.equals(Optional.of(false))) {
            throw uri.refused("it names a certificate, and tls=false");
        }
        Optional<Boolean> usual = variable("CONSUL_HTTP_SSL", environment).map(value -> asConsulReads(uri, value));
        return asked.or(() -> named.map(file -> true)).or(() -> usual).orElse(false);
    }

    /** As Consul's own client reads the variable. */
    private static boolean asConsulReads(StoreUri uri, String value) {
        if (!value.matches("1|t|T|true|TRUE|True|0|f|F|false|FALSE|False")) {
            throw uri.refused("CONSUL_HTTP_SSL is true or false, and not '" + value + "'");
        }
        return value.matches("[1tT].*");
    }

    private static Optional<Supplier<String>> token(StoreUri uri, Map<String, String> environment) {
        Optional<String> inUri = uri.parameters().take("token");
        Optional<String> file = uri.parameters().take("token-file");
        if (inUri.isPresent() && file.isPresent()) {
            throw uri.refused("it has both token and token-file");
        }
        return fixed("its token", inUri)
                .or(() -> file.map(ConsulAddress::secret))
                .or(() -> fixed("CONSUL_HTTP_TOKEN", variable("CONSUL_HTTP_TOKEN", environment)))
                .or(() -> variable("CONSUL_HTTP_TOKEN_FILE", environment).map(ConsulAddress::secret));
    }

    private static Optional<Supplier<String>> fixed(String where, Optional<String> text) {
        return text.map(one -> Secret.in(where, one)).map(token -> () -> token);
    }

    private static Optional<String> variable(String name, Map<String, String> environment) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    public URI base() {
        return base;
    }

    /** Without slashes at its ends. */
    public String prefix() {
        return prefix;
    }

    /** The one of its file is read again when that changes. */
    public Optional<String> token() {
        return token.map(Supplier::get);
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

    private static String prefix(StoreUri uri) {
        String bare = uri.path().replaceAll("^/|/$", "");
        try {
            return bare.isEmpty() ? "incumbent" : new ElectionName(bare).value();
        } catch (IllegalArgumentException e) {
            throw uri.refused("the prefix '" + bare + "' of keys is not of letters, digits and . _ / - alone");
        }
    }

    private static Supplier<String> secret(String file) {
        try {
            return SecretFile.of(Path.of(file))::now;
        } catch (IOException | InvalidPathException e) {
            throw ConsulException.malformed("Consul's token file " + file + " cannot be read: " + e)
                    .because(e);
        }
    }

    private static Duration millis(StoreUri uri, String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw uri.refused("session-ttl-min-ms is a number of milliseconds, this one is '" + text + "'");
        }
        return Duration.ofMillis(Long.parseLong(text));
    }
}
