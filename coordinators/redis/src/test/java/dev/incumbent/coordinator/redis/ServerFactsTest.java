package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.RedisUri;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server says of its memory, as services of clouds let it. */
final class ServerFactsTest {
    private static final String SERVER = "# Server\r\nredis_version:7.0.15\r\n# Memory\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"volatile-lru", "volatile-ttl", "allkeys-lfu"})
    void aServerThatMayEvictLeasesIsRefused(String policy) {
        assertThatThrownBy(() -> check("maxmemory:1000\r\nmaxmemory_policy:" + policy + "\r\n"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("evicts keys when its memory is full (maxmemory-policy " + policy + ")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"maxmemory:1000\r\n", "maxmemory_policy:volatile-lru\r\n", ""})
    void aServerThatHidesItsPolicyOrItsBoundIsNotRefused(String told) {
        assertThatCode(() -> check(told)).doesNotThrowAnyException();
    }

    @Test
    void aServerThatEvictsNothingServes() {
        assertThatCode(() -> check("maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n"))
                .doesNotThrowAnyException();
    }

    private static void check(String told) {
        ServerFacts.parse(SERVER + told)
                .check(RedisUri.parse("redis://h", Optional.empty()).servers().get(0), Role.MASTER);
    }
}
