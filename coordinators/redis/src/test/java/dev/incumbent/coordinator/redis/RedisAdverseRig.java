package dev.incumbent.coordinator.redis;

import dev.incumbent.servers.RedisServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Servers of its own. What befalls one of one befalls all of several, save that they come back one after the other. */
final class RedisAdverseRig extends RedisRig {
    RedisAdverseRig(List<RedisServer> servers) {
        super(servers, Duration.ofSeconds(1));
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(4);
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.allOf(ServerFault.class);
    }

    @Override
    public void befall(ServerFault fault) {
        for (RedisServer server : servers) {
            switch (fault) {
                case FROZEN -> server.process().freeze();
                case KILLED -> server.process().kill();
                case FULL -> server.ask("CONFIG", "SET", "maxmemory", "1");
            }
        }
    }

    @Override
    public void recover(ServerFault fault) {
        for (RedisServer server : servers) {
            switch (fault) {
                case FROZEN -> server.process().thaw();
                case KILLED -> server.process().startAgain();
                case FULL -> server.ask("CONFIG", "SET", "maxmemory", "0");
            }
        }
    }

    @Override
    public void close() {
        super.close();
        servers.forEach(RedisServer::close);
    }
}
