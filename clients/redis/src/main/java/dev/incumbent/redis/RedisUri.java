package dev.incumbent.redis;

import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a URI names: {@code redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?prefix=P&ca=FILE]}; {@code redlock://} with several hosts;
 * {@code redis+sentinel://[USER[:PASSWORD]@]HOST[:PORT][,…]/MASTER[/DATABASE]} with the hosts of sentinels. {@code rediss}, {@code redlocks} and
 * {@code rediss+sentinel} speak TLS.
 *
 * <p>Prints without passwords.
 *
 * @param servers those that hold the store, or the sentinels
 * @param followed the master that the sentinels name; none means that no server is a sentinel
 */
public record RedisUri(List<ServerAddress> servers, String prefix, Optional<FollowedMaster> followed) {
    /** One server's schemes, the latter over TLS. */
    public static final Set<String> SERVER = Set.of("redis", "rediss");

    /** Redlock's, the latter over TLS. */
    public static final Set<String> REDLOCK = Set.of("redlock", "redlocks");

    /** Those of a master that sentinels name, the latter over TLS to the sentinels and to the master. */
    public static final Set<String> SENTINEL = Set.of("redis+sentinel", "rediss+sentinel");

    /** What the sentinels' own password is called in the environment. */
    public static final String SENTINEL_PASSWORD_VARIABLE = "INCUMBENT_SENTINEL_PASSWORD";

    public static final String DEFAULT_PREFIX = "incumbent";
    private static final int DEFAULT_PORT = 6379;
    private static final int DEFAULT_SENTINEL_PORT = 26379;

    /**
     * Passwords that a URI does not bear.
     *
     * @param server of the servers that hold the store
     * @param sentinel of the sentinels
     */
    public record Passwords(Optional<String> server, Optional<String> sentinel) {
        @Override
        public String toString() {
            return "Passwords[]";
        }
    }

    /** {@link #parse(String, Passwords)}, without a password of sentinels. */
    public static RedisUri parse(String text, Optional<String> passwordFromElsewhere) {
        return parse(text, new Passwords(passwordFromElsewhere, Optional.empty()));
    }

    /** Reads a URI, or throws a {@link UriException} that repeats no secret of it. Passwords that it does not bear may come from elsewhere. */
    public static RedisUri parse(String text, Passwords fromElsewhere) {
        StoreUri uri = StoreUri.parse(text);
        boolean isSentinel = SENTINEL.contains(uri.scheme());
        if (!SERVER.contains(uri.scheme()) && !REDLOCK.contains(uri.scheme()) && !isSentinel) {
            throw uri.refused("it is no Redis'");
        }
        ServerAddress.Login login = login(uri, fromElsewhere);
        RedisUri read = isSentinel ? followed(uri, login, fromElsewhere) : servers(uri, login);
        if (!read.prefix.matches("[A-Za-z0-9._-]{1,64}")) {
            throw uri.refused("a prefix has 1 to 64 of the characters A-Z a-z 0-9 . _ -");
        }
        uri.parameters().refuseOthers();
        return read;
    }

    private static ServerAddress.Login login(StoreUri uri, Passwords fromElsewhere) {
        boolean tls = uri.scheme().startsWith("rediss") || uri.scheme().equals("redlocks");
        Optional<Path> authority = uri.parameters().take("ca").map(Path::of);
        if (authority.isPresent() && !tls) {
            String secured = uri.scheme().replaceFirst("^[a-z]+", "$0s");
            throw uri.refused("ca names an authority for TLS, which " + secured + ":// speaks");
        }
        return new ServerAddress.Login(
                uri.user(), uri.password().or(fromElsewhere::server).filter(word -> !word.isEmpty()), tls, authority);
    }

    private static RedisUri servers(StoreUri uri, ServerAddress.Login login) {
        int database = database(uri, uri.path().isEmpty() ? "0" : uri.path().substring(1));
        List<ServerAddress> servers = addresses(uri, DEFAULT_PORT, database, login);
        refuseACountThatCannotBe(uri, servers);
        return new RedisUri(servers, prefix(uri), Optional.empty());
    }

    private static RedisUri followed(StoreUri uri, ServerAddress.Login login, Passwords fromElsewhere) {
        String[] names = uri.path().split("/", 3);
        if (names.length < 2 || !names[1].matches("[A-Za-z0-9._-]+")) {
            throw uri.refused("behind the sentinels stands the name of their master, as in /mymaster or /mymaster/0");
        }
        int database = database(uri, names.length == 3 ? names[2] : "0");
        ServerAddress.Login own = new ServerAddress.Login(
                uri.parameters().take("sentinel-user"),
                uri.parameters()
                        .take("sentinel-password")
                        .or(fromElsewhere::sentinel)
                        .filter(word -> !word.isEmpty()),
                login.tls(),
                login.authority());
        if (own.user().isPresent() && own.password().isEmpty()) {
            throw uri.refused(
                    "sentinel-user needs a password: sentinel-password, or the variable " + SENTINEL_PASSWORD_VARIABLE);
        }
        List<ServerAddress> sentinels = addresses(uri, DEFAULT_SENTINEL_PORT, 0, own);
        refuseTwins(uri, sentinels);
        return new RedisUri(sentinels, prefix(uri), Optional.of(new FollowedMaster(names[1], database, login)));
    }

    private static String prefix(StoreUri uri) {
        return uri.parameters().take("prefix").orElse(DEFAULT_PREFIX);
    }

    private static List<ServerAddress> addresses(StoreUri uri, int port, int database, ServerAddress.Login login) {
        return uri.hosts(port).stream()
                .map(host -> new ServerAddress(host.host(), host.port(), database, login))
                .toList();
    }

    private static int database(StoreUri uri, String database) {
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
        refuseTwins(uri, servers);
    }

    private static void refuseTwins(StoreUri uri, List<ServerAddress> servers) {
        if (new HashSet<>(servers).size() < servers.size()) {
            throw uri.refused("a server stands in it twice");
        }
    }
}
