package dev.incumbent.spring;

import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this application elects.
 *
 * @param at URI of the coordinator, such as etcd://etcd1:2379/incumbent. Without it, the application's DataSource is the coordinator.
 * @param name Name by which people know this candidate. Without it, the host's name.
 * @param address Address at which clients find this candidate while it leads.
 * @param lease How long a lease is: after a leader's death, nobody leads for at most that long.
 * @param priority Who of the candidates leads first: the greatest, from -1000 to 1000.
 * @param fence What keeps late writes out of the application's database.
 * @param elections Elections to stand in, besides those that a LeaderOnly method names.
 */
@ConfigurationProperties("incumbent")
public record IncumbentProperties(
        @DefaultValue("") String at,
        @DefaultValue("") String name,
        @DefaultValue("") String address,
        @DefaultValue("15s") Duration lease,
        @DefaultValue("0") int priority,
        @DefaultValue Set<String> elections,
        @DefaultValue Fence fence) {
    /**
     * What keeps late writes out of the application's database.
     *
     * @param enabled Whether LeaderOnly methods write through a fence.
     * @param install Whether the fence is installed when the application starts; where it is installed already, nothing changes.
     * @param dataSource Name of the DataSource bean that LeaderOnly methods write to, where there are several and another one than the primary one is meant.
     * @param sink URL of that database, with user and password. Without it, the URL that its pool has.
     */
    public record Fence(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("true") boolean install,
            @DefaultValue("") String dataSource,
            @DefaultValue("") String sink) {
        /** Without the URL, which may contain a password. */
        @Override
        public String toString() {
            return "enabled=" + enabled + ", install=" + install + ", data-source=" + dataSource;
        }
    }

    public IncumbentProperties {
        elections = Set.copyOf(elections);
    }

    /** Without the URI, which may contain a password. */
    @Override
    public String toString() {
        return "incumbent.name=" + name + ", lease=" + lease + ", elections=" + elections + ", fence: " + fence;
    }
}
