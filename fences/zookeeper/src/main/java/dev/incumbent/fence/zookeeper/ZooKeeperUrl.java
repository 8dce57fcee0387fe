package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.SinkException;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.zookeeper.common.PathUtils;

/**
 * Where a sink is: {@code zk://h1:2181,h2:2181/path?user=U&password=P}.
 *
 * @param servers the ensemble as its client takes it
 * @param root the node beneath which the marks are
 * @param auth user and password for the scheme {@code digest}; never printed
 */
record ZooKeeperUrl(String servers, String root, Optional<String> auth) {
    private static final String DEFAULT_ROOT = "/incumbent";
    private static final int DEFAULT_PORT = 2181;
    private static final String PASSWORD_VARIABLE = "INCUMBENT_ZOOKEEPER_PASSWORD";

    /** Reads a URI; the password may come from the environment instead. */
    static ZooKeeperUrl of(String at, Map<String, String> environment) {
        try {
            return read(StoreUri.parse(at), environment);
        } catch (UriException e) {
            throw new SinkException("the sink " + e.getMessage() + "; write zk://host:port,host:port/path", e);
        }
    }

    private static ZooKeeperUrl read(StoreUri uri, Map<String, String> environment) {
        if (!uri.scheme().equals("zk") && !uri.scheme().equals("zookeeper")) {
            throw uri.refused("it is no ZooKeeper's");
        }
        if (uri.user().isPresent() || uri.password().isPresent()) {
            throw uri.refused("credentials stand behind the path, ?user=NAME&password=PASSWORD");
        }
        String servers = uri.hosts(DEFAULT_PORT).stream()
                .map(StoreUri.HostAndPort::toString)
                .collect(Collectors.joining(","));
        Optional<String> digest = digest(uri, environment);
        uri.parameters().refuseOthers();
        return new ZooKeeperUrl(servers, root(uri), digest);
    }

    private static String root(StoreUri uri) {
        String root =
                uri.path().endsWith("/") ? uri.path().substring(0, uri.path().length() - 1) : uri.path();
        if (root.isEmpty()) {
            return DEFAULT_ROOT;
        }
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException e) {
            throw uri.refused(String.valueOf(e.getMessage()));
        }
        if (root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            throw uri.refused("/zookeeper is ZooKeeper's own");
        }
        return root;
    }

    private static Optional<String> digest(StoreUri uri, Map<String, String> environment) {
        Optional<String> user = uri.parameters().take("user");
        Optional<String> given = uri.parameters().take("password");
        Optional<String> password = given.or(() -> Optional.ofNullable(environment.get(PASSWORD_VARIABLE)));
        if (user.isEmpty() && given.isPresent()) {
            throw uri.refused("it names a password and no user");
        }
        if (user.isPresent() && password.isEmpty()) {
            throw uri.refused("it names the user " + user.get() + " and no password; give it by &password= or in "
                    + PASSWORD_VARIABLE);
        }
        return user.map(name -> name + ":" + password.orElseThrow());
    }

    /** How people call it: without credentials. */
    @Override
    public String toString() {
        return "zk://" + servers + root;
    }
}
