package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.SinkException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.common.PathUtils;

/**
 * Where a sink is: {@code zk://h1:2181,h2:2181/path?user=U&password=P}.
 *
 * @param servers the ensemble as its client takes it
 * @param root the node beneath which the marks are
 * @param auth user and password for the scheme {@code digest}; never printed
 */
record ZooKeeperUrl(String servers, String root, Optional<String> auth) {
    private static final Pattern FORM = Pattern.compile("(?:zk|zookeeper)://([^/?@]+)(/[^?]*)?(?:\\?(.*))?");
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?");
    private static final String PASSWORD_VARIABLE = "INCUMBENT_ZOOKEEPER_PASSWORD";

    /** Reads a URL; the password may come from the environment instead. */
    static ZooKeeperUrl of(String url, Map<String, String> environment) {
        String shown = url.replaceAll("([?&]password=)[^&]*", "$1***").replaceAll("//[^/@]*@", "//***@");
        Matcher form = FORM.matcher(url);
        if (!form.matches()) {
            throw new SinkException("'" + shown + "' is no sink in ZooKeeper; write zk://host:port,host:port/path");
        }
        String path = Optional.ofNullable(form.group(2)).orElse("");
        String query = Optional.ofNullable(form.group(3)).orElse("");
        String servers = Optional.ofNullable(form.group(1)).orElse("");
        return new ZooKeeperUrl(servers(servers, shown), root(path, shown), auth(query, environment, shown));
    }

    private static String servers(String hosts, String shown) {
        StringBuilder servers = new StringBuilder();
        for (String host : hosts.split(",", -1)) {
            Matcher server = SERVER.matcher(host);
            if (!server.matches()) {
                throw new SinkException("the sink " + shown + " names no server in '" + host + "'");
            }
            boolean bare = server.group(2) == null;
            servers.append(servers.length() == 0 ? "" : ",").append(host).append(bare ? ":2181" : "");
        }
        return servers.toString();
    }

    private static String root(String path, String shown) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        try {
            PathUtils.validatePath(root.isEmpty() ? "/incumbent" : root);
        } catch (IllegalArgumentException e) {
            throw new SinkException("the sink " + shown + " names no node: " + e.getMessage(), e);
        }
        return root.isEmpty() ? "/incumbent" : root;
    }

    private static Optional<String> auth(String query, Map<String, String> environment, String shown) {
        Optional<String> user = Optional.empty();
        Optional<String> password = Optional.ofNullable(environment.get(PASSWORD_VARIABLE));
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            if (pair.startsWith("user=")) {
                user = Optional.of(decoded(pair.substring(5)));
            } else if (pair.startsWith("password=")) {
                password = Optional.of(decoded(pair.substring(9)));
            } else {
                throw new SinkException("the sink " + shown + " has an unknown parameter; known are user and password");
            }
        }
        if (user.isPresent() && password.isEmpty()) {
            throw new SinkException("the sink " + shown + " names the user " + user.get()
                    + " and no password; give it by &password= or in " + PASSWORD_VARIABLE);
        }
        Optional<String> known = password;
        return user.map(name -> name + ":" + known.orElseThrow());
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** How people call it: without credentials. */
    @Override
    public String toString() {
        return "zk://" + servers + root;
    }
}
