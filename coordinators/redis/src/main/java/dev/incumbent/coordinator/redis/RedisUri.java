package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a URI names: {@code redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?prefix=P&ca=FILE]}, with {@code rediss} for TLS; and
 * {@code redlock://}, {@code redlocks://} with several hosts.
 */
record RedisUri(List<ServerAddress> servers, String prefix) {
    static final int DEFAULT_PORT = 6379;
    private static final String DEFAULT_PREFIX = "incumbent";

    /** Reads a URI; a password that it does not bear may come from elsewhere. */
    static RedisUri parse(String uri, Optional<String> passwordFromElsewhere) {
        return new Parsing(uri, passwordFromElsewhere).result();
    }

    /** One parsing. Its failures never show what stands before the {@code @}. */
    private static final class Parsing {
        private final String uri;
        private final Optional<String> password;

        private Parsing(String uri, Optional<String> password) {
            this.uri = uri;
            this.password = password;
        }

        private RedisUri result() {
            int slashes = uri.indexOf("://");
            if (slashes < 0) {
                throw refused("write redis://HOST:PORT/DATABASE or redlock://HOST:PORT,HOST:PORT,HOST:PORT");
            }
            String scheme = uri.substring(0, slashes);
            String rest = uri.substring(slashes + 3);
            int question = rest.lastIndexOf('?');
            Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
            String beforeParameters = question < 0 ? rest : rest.substring(0, question);
            int at = beforeParameters.lastIndexOf('@');
            String place = beforeParameters.substring(at + 1);
            int slash = place.indexOf('/');
            int database = slash < 0 ? 0 : number("database", place.substring(slash + 1), 0, 1 << 20);
            ServerAddress.Login login = login(
                    at < 0 ? "" : beforeParameters.substring(0, at),
                    (scheme.equals("rediss") || scheme.equals("redlocks")),
                    parameters);
            List<ServerAddress> servers = servers(slash < 0 ? place : place.substring(0, slash), database, login);
            boolean isRedlock = scheme.startsWith("redlock");
            if (!isRedlock && servers.size() != 1) {
                throw refused("one server stands in redis://, several in redlock://");
            }
            if (isRedlock && (servers.size() < 3 || servers.size() % 2 == 0)) {
                throw refused("Redlock needs an odd number of masters, 3 at least; these are " + servers.size());
            }
            return new RedisUri(servers, prefix(parameters));
        }

        private List<ServerAddress> servers(String places, int database, ServerAddress.Login login) {
            List<ServerAddress> servers = new ArrayList<>();
            for (String place : places.split(",", -1)) {
                int end = place.startsWith("[") ? place.indexOf(']') + 1 : Math.max(place.indexOf(':'), 0);
                String host = end == 0 && place.indexOf(':') < 0 ? place : place.substring(0, end);
                String port = place.substring(host.length());
                if (host.isEmpty() || !(port.isEmpty() || port.startsWith(":"))) {
                    throw refused("'" + place + "' is no HOST:PORT");
                }
                servers.add(new ServerAddress(
                        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                        port.isEmpty() ? DEFAULT_PORT : number("port", port.substring(1), 1, 65_535),
                        database,
                        login));
            }
            if (new HashSet<>(servers).size() < servers.size()) {
                throw refused("a server stands in it twice");
            }
            return servers;
        }

        private ServerAddress.Login login(String credentials, boolean tls, Map<String, String> parameters) {
            int colon = credentials.indexOf(':');
            String user = decoded(colon < 0 ? credentials : credentials.substring(0, colon));
            Optional<String> borne =
                    colon < 0 ? Optional.empty() : Optional.of(decoded(credentials.substring(colon + 1)));
            Optional<Path> authority = Optional.ofNullable(parameters.get("ca")).map(Path::of);
            return new ServerAddress.Login(
                    Optional.of(user).filter(name -> !name.isEmpty()),
                    borne.or(() -> password).filter(word -> !word.isEmpty()),
                    tls,
                    authority);
        }

        private Map<String, String> parameters(String query) {
            Map<String, String> parameters = new TreeMap<>();
            for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                if (equals < 0 || !(name.equals("prefix") || name.equals("ca"))) {
                    throw refused("the parameter '" + name + "' is unknown; known are prefix and ca");
                }
                parameters.put(name, decoded(parameter.substring(equals + 1)));
            }
            return parameters;
        }

        private String prefix(Map<String, String> parameters) {
            String prefix = parameters.getOrDefault("prefix", DEFAULT_PREFIX);
            if (!prefix.matches("[A-Za-z0-9._-]{1,64}")) {
                throw refused("a prefix has 1 to 64 of the characters A-Z a-z 0-9 . _ -");
            }
            return prefix;
        }

        private int number(String what, String text, int least, int most) {
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw refused("'" + text + "' is no " + what);
            }
            throw refused("a " + what + " lies between " + least + " and " + most + ", this one is " + text);
        }

        private String decoded(String text) {
            try {
                return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw refused("a % in it stands before no two hexadecimal digits");
            }
        }

        private CoordinatorUnusableException refused(String why) {
            int at = uri.lastIndexOf('@');
            int slashes = uri.indexOf("://");
            String shown = at > slashes && slashes >= 0 ? uri.substring(0, slashes + 3) + uri.substring(at + 1) : uri;
            return new CoordinatorUnusableException("the coordinator " + shown + " cannot be opened: " + why);
        }
    }
}
