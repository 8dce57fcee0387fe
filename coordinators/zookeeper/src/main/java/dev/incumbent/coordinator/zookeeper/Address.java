package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.common.PathUtils;

/**
 * Where an ensemble is, where in it we live, and as whom: {@code zk://h1:2181,h2:2181/path?user=U&password=P}.
 *
 * @param servers the ensemble as its client takes it
 * @param root the node beneath which all is kept
 * @param digest user and password for the scheme {@code digest}; never printed
 */
record Address(String servers, String root, Optional<Digest> digest) {
    private static final String DEFAULT_ROOT = "/incumbent";
    private static final String DEFAULT_PORT = ":2181";
    private static final String PASSWORD_VARIABLE = "INCUMBENT_ZOOKEEPER_PASSWORD";

    /** Credentials of the scheme {@code digest}. */
    record Digest(String user, String password) {
        byte[] auth() {
            return (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return user;
        }
    }

    /** Reads a URI; the password may come from the environment instead. */
    static Address parse(String at, Map<String, String> environment) {
        String shown = at.replaceAll("([?&]password=)[^&]*", "$1***").replaceAll("//[^/@]*@", "//***@");
        int begin = at.indexOf("://");
        String scheme = begin < 0 ? "" : at.substring(0, begin);
        if (!scheme.equals("zk") && !scheme.equals("zookeeper")) {
            throw new CoordinatorUnusableException(
                    "no ZooKeeper coordinator is known for " + shown + "; write zk://host:port,host:port/path");
        }
        String rest = at.substring(begin + 3);
        int question = rest.indexOf('?');
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1), shown);
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String servers = servers(slash < 0 ? place : place.substring(0, slash), shown);
        String root = root(slash < 0 ? "" : place.substring(slash), shown);
        return new Address(servers, root, digest(options, environment, shown));
    }

    private static Map<String, String> options(String query, String shown) {
        Map<String, String> options = new HashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (!key.equals("user") && !key.equals("password")) {
                throw new CoordinatorUnusableException("the coordinator " + shown + " has the unknown parameter '" + key
                        + "'; known are user and password");
            }
            options.put(key, decoded(equals < 0 ? "" : pair.substring(equals + 1), shown));
        }
        return options;
    }

    private static String decoded(String value, String shown) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + shown + " has a parameter that cannot be decoded", e);
        }
    }

    private static String servers(String hosts, String shown) {
        if (hosts.contains("@")) {
            throw new CoordinatorUnusableException("the coordinator " + shown
                    + " has credentials before its servers; write ?user=NAME&password=PASSWORD behind the path");
        }
        StringBuilder servers = new StringBuilder();
        for (String host : hosts.split(",", -1)) {
            if (host.isEmpty() || !host.matches("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")) {
                throw new CoordinatorUnusableException("the coordinator " + shown + " names no server in '" + host
                        + "'; write zk://host:port,host:port/path");
            }
            boolean bare = !host.matches(".*:[0-9]+");
            servers.append(servers.length() == 0 ? "" : ",").append(host).append(bare ? DEFAULT_PORT : "");
        }
        return servers.toString();
    }

    private static String root(String path, String shown) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (root.isEmpty()) {
            return DEFAULT_ROOT;
        }
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException e) {
            throw new CoordinatorUnusableException("the coordinator " + shown + " names no node: " + e.getMessage(), e);
        }
        if (root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + shown + " names /zookeeper, which is ZooKeeper's own");
        }
        return root;
    }

    private static Optional<Digest> digest(Map<String, String> options, Map<String, String> environment, String shown) {
        Optional<String> user = Optional.ofNullable(options.get("user"));
        Optional<String> password = Optional.ofNullable(options.get("password"))
                .or(() -> Optional.ofNullable(environment.get(PASSWORD_VARIABLE)));
        if (user.isEmpty() && options.containsKey("password")) {
            throw new CoordinatorUnusableException("the coordinator " + shown + " names a password and no user");
        }
        if (user.isPresent() && password.isEmpty()) {
            throw new CoordinatorUnusableException("the coordinator " + shown + " names the user " + user.get()
                    + " and no password; give it by &password= or in " + PASSWORD_VARIABLE);
        }
        return user.map(name -> new Digest(name, password.orElseThrow()));
    }

    /** How people call it: without the password. */
    @Override
    public String toString() {
        return "zk://" + servers + root;
    }

    /** As whom we ask, for people. */
    String asWhom() {
        return digest.map(it -> "user " + it.user()).orElse("without a user");
    }
}
