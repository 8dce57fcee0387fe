package dev.incumbent.redis;

import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a URI names: {@code redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?prefix=P&ca=FILE]}, with {@code rediss} for TLS; and
 * {@code redlock://}, {@code redlocks://} with several hosts.
 *
 * <p>Prints without passwords.
 */
public record RedisUri(List<ServerAddress> servers, String prefix) {
    /** One server's schemes, the latter over TLS. */
    public static final Set<String> SERVER = Set.of("redis", "rediss");

    /** Redlock's, the latter over TLS. */
    public static final Set<String> REDLOCK = Set.of("redlock", "redlocks");

    public static final String DEFAULT_PREFIX = "incumbent";
    private static final int DEFAULT_PORT = 6379;

    /** Reads a URI, or throws a {@link UriException} that repeats no secret of it. A password that it does not bear may come from elsewhere. */
    public static RedisUri parse(String text, Optional<String> passwordFromElsewhere) {
        StoreUri uri = StoreUri.parse(text);
        if (!SERVER.contains(uri.scheme()) && !REDLOCK.contains(uri.scheme())) {
            throw uri.refused("it is no Redis'");
        }
        boolean tls = uri.scheme().equals("rediss") || uri.scheme().equals("redlocks");
        Optional<Path> authority = uri.parameters().take("ca").map(Path::of);
        if (authority.isPresent() && !tls) {
            throw uri.refused("ca names an authority for TLS, which " + uri.scheme() + "s:// speaks");
        }
        ServerAddress.Login login = new ServerAddress.Login(
                uri.user(),
                uri.password().or(() -> passwordFromElsewhere).filter(word -> !word.isEmpty()),
                tls,
                authority);
        int database = database(uri);
        List<ServerAddress> servers = uri.hosts(DEFAULT_PORT).stream()
                .map(host -> new ServerAddress(host.host(), host.port(), database, login))
                .toList();
        refuseACountThatCannotBe(uri, servers);
        String prefix = uri.parameters().take("prefix").orElse(DEFAULT_PREFIX);
        if (!prefix.matches("[A-Za-z0-9._-]{1,64}")) {
            throw uri.refused("a prefix has 1 to 64 of the characters A-Z a-z 0-9 . _ -");
        }
        uri.parameters().refuseOthers();
        return new RedisUri(servers, prefix);
    }

    private static int database(StoreUri uri) {
        String database = uri.path().isEmpty() ? "0" : uri.path().substring(1);
        if (!database.matches("[0-9]{1,6}")) {
            throw uri.refused("'" + database + "' is no database, which is a number");
        }
        return Integer.parseInt(database);
    }

    private static void refuseACountThatCannotBe(StoreUri uri, List<ServerAddress> servers) {
        boolean isRedlock = REDLOCK.contains(uri.scheme());
        if (!isRedlock && servers.size() != 1) {
            throw uri.refused("one server stands in redis://, several in redlock://");
        }
        if (isRedlock && (servers.size() < 3 || servers.size() % 2 == 0)) {
            throw uri.refused("Redlock needs an odd number of masters, 3 at least; these are " + servers.size());
        }
        if (new HashSet<>(servers).size() < servers.size()) {
            throw uri.refused("a server stands in it twice");
        }
    }
}
