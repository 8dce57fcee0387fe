package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.ServerAddress;
import java.util.HashMap;
import java.util.Map;

/** What a server says of itself ({@code INFO}), as far as it decides whether it can serve. */
record ServerFacts(Map<String, String> lines) {
    private static final int OLDEST_MAJOR = 6;

    static ServerFacts parse(String info) {
        Map<String, String> lines = new HashMap<>();
        for (String line : info.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                lines.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return new ServerFacts(Map.copyOf(lines));
    }

    /** One life of the server: changes when it starts anew. */
    String runId() {
        return lines.getOrDefault("run_id", "");
    }

    /** Throws where this server cannot serve, or not now. */
    void check(ServerAddress at, Role role) {
        String version = lines.getOrDefault("redis_version", "0");
        if (Integer.parseInt(version.replaceAll("\\D.*", "")) < OLDEST_MAJOR) {
            throw new CoordinatorUnusableException(
                    at + " is Redis " + version + ", and the oldest that serves is " + OLDEST_MAJOR + ".0");
        }
        boolean isSentinel = "sentinel".equals(lines.get("redis_mode"));
        if (role == Role.SENTINEL) {
            if (!isSentinel) {
                throw new CoordinatorUnusableException(at + " is no Redis Sentinel: a server itself is redis://");
            }
            return;
        }
        if (isSentinel) {
            throw new CoordinatorUnusableException(
                    at + " is a Redis Sentinel: name the master itself, or write redis+sentinel://HOST:PORT/MASTER");
        }
        if ("slave".equals(lines.get("role"))) {
            throw new CoordinatorException(
                    at + " is a replica of " + lines.getOrDefault("master_host", "another server") + ":"
                            + lines.getOrDefault("master_port", "?") + ": only a master grants leases",
                    false);
        }
        String eviction = lines.getOrDefault("maxmemory_policy", "noeviction");
        if (!eviction.equals("noeviction") && !"0".equals(lines.getOrDefault("maxmemory", "0"))) {
            throw new CoordinatorUnusableException(at + " evicts keys when its memory is full (maxmemory-policy "
                    + eviction + "), leases too: a coordinator needs noeviction");
        }
    }
}
