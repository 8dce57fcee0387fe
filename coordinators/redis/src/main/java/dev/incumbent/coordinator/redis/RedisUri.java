package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What a URI names: {@code redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?prefix=P&ca=FILE]}, with {@code rediss} for TLS; and
 * {@code redlock://}, {@code redlocks://} with several hosts.
 */
record RedisUri(List<ServerAddress> servers, String prefix) {
    static final int DEFAULT_PORT = 6379;
    private static final String DEFAULT_PREFIX = "incumbent";

    /** Reads a URI; a password that it does not bear may come from elsewhere. */
    static RedisUri parse(String uri, Optional<String> passwordFromElsewhere) {
        try {
            return of(StoreUri.parse(uri), passwordFromElsewhere);
        } catch (UriException e) {
            throw new CoordinatorUnusableException("the coordinator " + e.getMessage()
                    + "; write redis://HOST:PORT/DATABASE or redlock://HOST:PORT,HOST:PORT,HOST:PORT");
        }
    }

    private static RedisUri of(StoreUri uri, Optional<String> passwordFromElsewhere) {
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
        boolean isRedlock = uri.scheme().startsWith("redlock");
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
