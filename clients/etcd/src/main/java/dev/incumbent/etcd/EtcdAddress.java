package dev.incumbent.etcd;

import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where an etcd is and who asks: {@code etcd://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]…]/PREFIX[?tls=true&cacert=FILE&cert=FILE&key=FILE]}.
 *
 * <p>What the URI does not tell of user and certificates is taken from etcdctl's environment variables. Prints as the URI without credentials and parameters.
 *
 * @param prefix what all keys begin with, {@code /PREFIX/}
 */
public record EtcdAddress(List<Endpoint> endpoints, String prefix, Optional<Login> login, Optional<TlsFiles> tls) {
    /** What its URIs begin with. */
    public static final String SCHEME = "etcd:";

    private static final int DEFAULT_PORT = 2379;
    private static final String DEFAULT_PREFIX = "incumbent";

    /** One member's client address. */
    public record Endpoint(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /** A user of etcd's own. */
    public record Login(String user, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return user;
        }
    }

    /** Files in PEM: the authorities that are trusted, and the client's own certificate with its key (PKCS 8). */
    public record TlsFiles(Optional<String> authorities, Optional<String> certificate, Optional<String> key) {
        static final TlsFiles NONE = new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public EtcdAddress {
        endpoints = List.copyOf(endpoints);
    }

    /** Reads a URI; what it leaves open is taken from these environment variables. */
    public static EtcdAddress parse(String uri, Map<String, String> environment) {
        try {
            return of(StoreUri.parse(uri), environment);
        } catch (UriException e) {
            throw unusable(e.getMessage() + "; write etcd://HOST:PORT[,HOST:PORT]/PREFIX");
        }
    }

    private static EtcdAddress of(StoreUri uri, Map<String, String> environment) {
        if (!SCHEME.equals(uri.scheme() + ":")) {
            throw uri.refused("it is no etcd's");
        }
        List<Endpoint> endpoints = uri.hosts(DEFAULT_PORT).stream()
                .map(host -> new Endpoint(host.host(), host.port()))
                .toList();
        Optional<TlsFiles> tls = tls(uri, environment);
        uri.parameters().refuseOthers();
        return new EtcdAddress(endpoints, "/" + prefix(uri) + "/", login(uri, environment), tls);
    }

    private static String prefix(StoreUri uri) {
        String prefix = uri.path().isEmpty() || uri.path().equals("/")
                ? DEFAULT_PREFIX
                : uri.path().substring(1);
        if (!prefix.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*")) {
            throw uri.refused(
                    "'" + prefix
                            + "' is no prefix for keys in etcd: legal are letters, digits and . _ -, with single slashes between");
        }
        return prefix;
    }

    private static Optional<Login> login(StoreUri uri, Map<String, String> environment) {
        if (uri.user().isPresent()) {
            String password = uri.password().orElseGet(() -> environment.getOrDefault("ETCDCTL_PASSWORD", ""));
            return Optional.of(new Login(uri.user().get(), password));
        }
        String login = environment.getOrDefault("ETCDCTL_USER", "");
        int colon = login.indexOf(':');
        return login.isEmpty()
                ? Optional.empty()
                : Optional.of(new Login(
                        colon < 0 ? login : login.substring(0, colon),
                        colon < 0 ? environment.getOrDefault("ETCDCTL_PASSWORD", "") : login.substring(colon + 1)));
    }

    /** Where certificates are named, TLS is meant: nothing is sent in plain text because of a parameter that was forgotten, or said otherwise. */
    private static Optional<TlsFiles> tls(StoreUri uri, Map<String, String> environment) {
        Optional<Boolean> asked = uri.parameters().takeFlag("tls");
        Optional<String> authorities = uri.parameters().take("cacert");
        Optional<String> certificate = uri.parameters().take("cert");
        Optional<String> key = uri.parameters().take("key");
        boolean named = authorities.isPresent() || certificate.isPresent() || key.isPresent();
        if (named && asked.equals(Optional.of(false))) {
            throw uri.refused("it names certificates, and tls=false");
        }
        TlsFiles files = new TlsFiles(
                authorities.or(() -> variable("CACERT", environment)),
                certificate.or(() -> variable("CERT", environment)),
                key.or(() -> variable("KEY", environment)));
        if (files.certificate().isPresent() != files.key().isPresent()) {
            throw uri.refused("a client's certificate needs both cert and key");
        }
        return asked.orElse(named || !files.equals(TlsFiles.NONE)) ? Optional.of(files) : Optional.empty();
    }

    private static Optional<String> variable(String name, Map<String, String> environment) {
        return Optional.ofNullable(environment.get("ETCDCTL_" + name)).filter(file -> !file.isEmpty());
    }

    private static EtcdException unusable(String message) {
        return new EtcdException(message, EtcdException.Kind.UNUSABLE);
    }

    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder("etcd://");
        for (int i = 0; i < endpoints.size(); i++) {
            shown.append(i == 0 ? "" : ",").append(endpoints.get(i));
        }
        return shown + prefix.substring(0, prefix.length() - 1);
    }
}
