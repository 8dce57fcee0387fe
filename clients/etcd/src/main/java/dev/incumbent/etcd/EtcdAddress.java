package dev.incumbent.etcd;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    private static final Set<String> PARAMETERS = Set.of("tls", "cacert", "cert", "key");

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
    public record TlsFiles(Optional<String> authorities, Optional<String> certificate, Optional<String> key) {}

    public EtcdAddress {
        endpoints = List.copyOf(endpoints);
    }

    /** Reads a URI; what it leaves open is taken from these environment variables. */
    public static EtcdAddress parse(String uri, Map<String, String> environment) {
        String rest = uri.startsWith(SCHEME + "//") ? uri.substring(SCHEME.length() + 2) : "";
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        int slash = path.indexOf('/');
        String authority = slash < 0 ? path : path.substring(0, slash);
        String prefix = slash < 0 ? "" : path.substring(slash + 1);
        int at = authority.lastIndexOf('@');
        if (authority.substring(at + 1).isEmpty()) {
            throw unusable("an etcd is named as etcd://HOST:PORT[,HOST:PORT]/PREFIX; the one given names no host");
        }
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
        return new EtcdAddress(
                endpoints(authority.substring(at + 1)),
                "/" + checkedPrefix(prefix) + "/",
                login(at < 0 ? "" : authority.substring(0, at), environment),
                tls(parameters, environment));
    }

    private static String checkedPrefix(String given) {
        String prefix = given.isEmpty() ? DEFAULT_PREFIX : given;
        if (!prefix.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*")) {
            throw unusable(
                    "'" + prefix
                            + "' is no prefix for keys in etcd: legal are letters, digits and . _ -, with single slashes between");
        }
        return prefix;
    }

    private static List<Endpoint> endpoints(String hosts) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            endpoints.add(endpoint(host));
        }
        return endpoints;
    }

    private static Endpoint endpoint(String given) {
        int bracket = given.lastIndexOf(']');
        int colon = given.indexOf(':', Math.max(0, bracket));
        String host = (colon < 0 ? given : given.substring(0, colon)).replaceAll("[\\[\\]]", "");
        String port = colon < 0 ? "" + DEFAULT_PORT : given.substring(colon + 1);
        if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            throw unusable("'" + given + "' is no HOST:PORT of an etcd");
        }
        return new Endpoint(host, Integer.parseInt(port));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!PARAMETERS.contains(name) || equals < 0) {
                throw unusable("an etcd URI knows the parameters tls, cacert, cert and key, and not '" + name + "'");
            }
            parameters.put(name, decoded(pair.substring(equals + 1)));
        }
        return parameters;
    }

    private static Optional<Login> login(String userInfo, Map<String, String> environment) {
        boolean given = !userInfo.isEmpty();
        String login = given ? userInfo : environment.getOrDefault("ETCDCTL_USER", "");
        if (login.isEmpty()) {
            return Optional.empty();
        }
        int colon = login.indexOf(':');
        String user = colon < 0 ? login : login.substring(0, colon);
        String password = colon < 0 ? environment.getOrDefault("ETCDCTL_PASSWORD", "") : login.substring(colon + 1);
        return Optional.of(
                given ? new Login(decoded(user), colon < 0 ? password : decoded(password)) : new Login(user, password));
    }

    private static Optional<TlsFiles> tls(Map<String, String> parameters, Map<String, String> environment) {
        Optional<String> authorities = file("cacert", parameters, environment);
        Optional<String> certificate = file("cert", parameters, environment);
        Optional<String> key = file("key", parameters, environment);
        boolean wanted = parameters
                .getOrDefault("tls", authorities.isPresent() ? "true" : "false")
                .equals("true");
        if (certificate.isPresent() != key.isPresent()) {
            throw unusable("a client's certificate for etcd needs both cert and key");
        }
        return wanted ? Optional.of(new TlsFiles(authorities, certificate, key)) : Optional.empty();
    }

    private static Optional<String> file(String name, Map<String, String> parameters, Map<String, String> environment) {
        String variable = "ETCDCTL_" + name.toUpperCase(java.util.Locale.ROOT);
        return Optional.ofNullable(parameters.getOrDefault(name, environment.get(variable)));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw unusable("an etcd URI has a '%' that begins no escape");
        }
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
