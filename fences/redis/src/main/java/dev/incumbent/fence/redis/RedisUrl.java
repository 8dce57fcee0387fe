package dev.incumbent.fence.redis;

import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.wire.UriException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A sink's server, and the keys of its marks there. Prints without the password.
 *
 * @param prefix what stands in the hash tag of the marks' keys
 */
record RedisUrl(ServerAddress server, String prefix) {
    static boolean isOne(String url) {
        return Stream.of(RedisUri.SERVER, RedisUri.SENTINEL)
                .flatMap(Set::stream)
                .anyMatch(scheme -> url.startsWith(scheme + "://"));
    }

    /** Reads one; a password that it does not bear may come from elsewhere. Its failures show none. */
    static RedisUrl parse(String url, Optional<String> passwordFromElsewhere) {
        try {
            RedisUri uri = RedisUri.parse(url, passwordFromElsewhere);
            if (uri.followed().isPresent()) {
                throw new IllegalArgumentException("the sink cannot be opened: no fence follows sentinels; write"
                        + " redis://HOST:PORT/DATABASE, an address that moves with the master");
            }
            return new RedisUrl(uri.servers().get(0), uri.prefix());
        } catch (UriException e) {
            throw new IllegalArgumentException("the sink cannot be opened: " + e.getMessage(), e);
        }
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
        return server + (prefix.equals(RedisUri.DEFAULT_PREFIX) ? "" : "?prefix=" + prefix);
    }
}
