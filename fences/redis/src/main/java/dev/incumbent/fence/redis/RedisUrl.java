package dev.incumbent.fence.redis;

import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a sink's URL names: {@code redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?prefix=P&ca=FILE]}, with {@code rediss} for TLS. Prints without the password.
 *
 * @param prefix what stands in the hash tag of the marks' keys
 * @param authority a file of certificates (PEM) to trust instead of this Java's own
 */
record RedisUrl(
        String host,
        int port,
        int database,
        String prefix,
        boolean tls,
        Optional<String> user,
        Optional<String> password,
        Optional<Path> authority) {
    private static final int DEFAULT_PORT = 6379;

    static boolean isOne(String url) {
        return url.startsWith("redis://") || url.startsWith("rediss://");
    }

    /** Reads one; a password that it does not bear may come from elsewhere. Its failures show none. */
    static RedisUrl parse(String url, Optional<String> passwordFromElsewhere) {
        try {
            return of(StoreUri.parse(url), passwordFromElsewhere);
        } catch (UriException e) {
            throw new IllegalArgumentException("the sink cannot be opened: " + e.getMessage(), e);
        }
    }

    private static RedisUrl of(StoreUri uri, Optional<String> passwordFromElsewhere) {
        List<StoreUri.HostAndPort> hosts = uri.hosts(DEFAULT_PORT);
        if (hosts.size() != 1) {
            throw uri.refused("a sink is one server, these are " + hosts.size());
        }
        String database = uri.path().isEmpty() ? "0" : uri.path().substring(1);
        if (!database.matches("[0-9]{1,6}")) {
            throw uri.refused("'" + database + "' is no database, which is a number");
        }
        String prefix = uri.parameters().take("prefix").orElse("incumbent");
        if (!prefix.matches("[A-Za-z0-9._-]{1,64}")) {
            throw uri.refused("a prefix has 1 to 64 of the characters A-Z a-z 0-9 . _ -");
        }
        boolean tls = uri.scheme().equals("rediss");
        Optional<Path> authority = uri.parameters().take("ca").map(Path::of);
        if (authority.isPresent() && !tls) {
            throw uri.refused("ca names an authority for TLS, which rediss:// speaks");
        }
        uri.parameters().refuseOthers();
        return new RedisUrl(
                hosts.get(0).host(),
                hosts.get(0).port(),
                Integer.parseInt(database),
                prefix,
                tls,
                uri.user(),
                uri.password().or(() -> passwordFromElsewhere).filter(word -> !word.isEmpty()),
                authority);
    }

    String id() {
        return "{" + prefix + "}:sink";
    }

    String marks() {
        return "{" + prefix + "}:marks";
    }

    String markKeys() {
        return "{" + prefix + "}:mark:";
    }

    @Override
    public String toString() {
        return (tls ? "rediss://" : "redis://") + host + ":" + port + "/" + database
                + (prefix.equals("incumbent") ? "" : "?prefix=" + prefix);
    }
}
