package dev.incumbent.zookeeper;

import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where an ensemble is, where in it we live, and as whom: {@code zk://h1:2181,h2:2181/path?user=U&password=P}. Prints without user and password.
 *
 * @param servers the ensemble as its client takes it
 * @param root the node beneath which all is kept
 * @param digest user and password for the scheme {@code digest}
 */
public record ZooKeeperUri(String servers, String root, Optional<Digest> digest) {
    public static final Set<String> SCHEMES = Set.of("zk", "zookeeper");

    /** What to write instead, for people. */
    public static final String FORM = "write zk://host:port,host:port/path";

    private static final String DEFAULT_ROOT = "/incumbent";
    private static final int DEFAULT_PORT = 2181;
    private static final String PASSWORD_VARIABLE = "INCUMBENT_ZOOKEEPER_PASSWORD";

    /** Credentials of the scheme {@code digest}. Prints the user alone. */
    public record Digest(String user, String password) {
        /** As {@code addAuthInfo} takes it. */
        public byte[] auth() {
            return (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return user;
        }
    }

    /** Reads a URI, or throws a {@link UriException} that repeats no secret of it. The password may come from the environment instead. */
    public static ZooKeeperUri parse(String text, Map<String, String> environment) {
        StoreUri uri = StoreUri.parse(text);
        if (!SCHEMES.contains(uri.scheme())) {
            throw uri.refused("it is no ZooKeeper's");
        }
        if (uri.user().isPresent() || uri.password().isPresent()) {
            throw uri.refused("credentials stand behind the path, ?user=NAME&password=PASSWORD");
        }
        String servers = uri.hosts(DEFAULT_PORT).stream()
                .map(StoreUri.HostAndPort::toString)
                .collect(Collectors.joining(","));
        Optional<Digest> digest = digest(uri, environment);
        uri.parameters().refuseOthers();
        return new ZooKeeperUri(servers, root(uri), digest);
    }

    private static String root(StoreUri uri) {
        String root = uri.path().replaceFirst("/$", "");
        if (root.isEmpty()) {
            return DEFAULT_ROOT;
        }
        if (!Arrays.stream(root.substring(1).split("/", -1)).allMatch(ZooKeeperUri::isName)) {
            throw uri.refused("'" + root + "' is no path of a node, such as /apps/billing");
        }
        if (root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            throw uri.refused("/zookeeper is ZooKeeper's own");
        }
        return root;
    }

    /** As ZooKeeper checks it ({@code PathUtils}): characters that can be displayed, and neither "." nor "..". */
    private static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.chars().noneMatch(ZooKeeperUri::isRefused);
    }

    private static boolean isRefused(int c) {
        return c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0xd800 && c <= 0xf8ff) || c >= 0xfff0;
    }

    private static Optional<Digest> digest(StoreUri uri, Map<String, String> environment) {
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
        return user.map(name -> new Digest(name, password.orElseThrow()));
    }

    @Override
    public String toString() {
        return "zk://" + servers + root;
    }

    /** As whom we ask, for people. */
    public String asWhom() {
        return digest.map(it -> "as user " + it.user()).orElse("without a user");
    }
}
