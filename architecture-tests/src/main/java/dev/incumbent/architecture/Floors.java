package dev.incumbent.architecture;

import java.util.Map;
import java.util.Optional;

/** Which module stands on which floor: the one table. A module imports floors beneath its own, and nothing beside it. */
final class Floors {
    /** Outside the house: may import every floor, and nobody imports it. */
    static final int AROUND = 99;

    private static final Map<String, Integer> OF_MODULE = Map.ofEntries(
            Map.entry("protocol", 0),
            Map.entry("coordinator", 1),
            Map.entry("fence", 1),
            Map.entry("wire", 1),
            Map.entry("election", 2),
            Map.entry("coordinator-memory", 2),
            Map.entry("fence-memory", 2),
            Map.entry("coordinator-tck", 2),
            Map.entry("fence-tck", 2),
            Map.entry("real-servers", 2),
            Map.entry("etcd-gateway", 2),
            Map.entry("consul-api", 2),
            Map.entry("adverse-tck", 3),
            Map.entry("simulation", 3),
            Map.entry("peers", 3),
            Map.entry("metrics", 3),
            Map.entry("agent", 4),
            Map.entry("supervisor", 4),
            Map.entry("quorum-server", 4),
            Map.entry("cli", 5),
            Map.entry("examples", AROUND),
            Map.entry("benchmarks", AROUND),
            Map.entry("acceptance", AROUND),
            Map.entry("bom", AROUND),
            Map.entry("architecture-tests", AROUND));

    private Floors() {}

    /** The floor of a module by its folder; every adapter, {@code coordinators/*} and {@code fences/*}, stands on the third. */
    static Optional<Integer> of(String module) {
        if (module.startsWith("coordinators/") || module.startsWith("fences/")) {
            return Optional.of(3);
        }
        return Optional.ofNullable(OF_MODULE.get(module));
    }

    /** Floors 0 to 2 carry a module descriptor and no third-party dependency; save the contract suites, which are made of tests. */
    static boolean isBare(String module) {
        return of(module).orElse(AROUND) <= 2 && !module.endsWith("-tck");
    }

    /** What users embed: it takes no XML and no YAML. */
    static boolean isLibrary(String module) {
        return of(module).orElse(AROUND) <= 3;
    }
}
