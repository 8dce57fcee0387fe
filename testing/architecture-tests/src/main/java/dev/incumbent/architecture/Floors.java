package dev.incumbent.architecture;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which module stands on which floor: the one table. A module imports floors beneath its own, and nothing beside it. */
final class Floors {
    /** Outside the house: may import every floor, and nobody imports it. */
    static final int AROUND = 99;

    /** Those whose folder does not say it. */
    private static final Map<String, Integer> OF_MODULE = Map.ofEntries(
            Map.entry("core/protocol", 0),
            Map.entry("core/coordinator", 1),
            Map.entry("core/fence", 1),
            Map.entry("core/beats", 1),
            Map.entry("core/peers", 1),
            Map.entry("core/wire", 0),
            Map.entry("core/calls", 1),
            Map.entry("core/election", 2),
            Map.entry("coordinators/memory", 2),
            Map.entry("fences/memory", 2),
            Map.entry("testing/coordinator-tck", 2),
            Map.entry("testing/fence-tck", 2),
            Map.entry("testing/real-servers", 2),
            Map.entry("testing/fuzz", 2),
            Map.entry("testing/adverse-tck", 3),
            Map.entry("testing/simulation", 3),
            Map.entry("testing/lab", 4),
            Map.entry("integrations/spring-boot", 4),
            Map.entry("testing/junit", 4),
            Map.entry("testing/acceptance", AROUND),
            Map.entry("testing/spring-boot-4", AROUND),
            Map.entry("testing/architecture-tests", AROUND),
            Map.entry("programs/supervisor", 4),
            Map.entry("programs/quorum-server", 4),
            Map.entry("programs/telling", 4),
            Map.entry("programs/agent", 5),
            Map.entry("programs/cli", 6),
            Map.entry("examples", AROUND),
            Map.entry("benchmarks", AROUND),
            Map.entry("bom", AROUND));

    /** Folders of modules of one floor. */
    private static final Map<String, Integer> OF_FOLDER =
            Map.of("clients", 2, "coordinators", 3, "fences", 3, "integrations", 3, "peers", 3);

    /** On which floors a folder's modules may stand, from the lowest to the highest; those of the house alone. */
    private static final Map<String, List<Integer>> IN_FOLDER = Map.of(
            "core", List.of(0, 2),
            "clients", List.of(2, 2),
            "coordinators", List.of(2, 3),
            "fences", List.of(2, 3),
            "integrations", List.of(3, 4),
            "peers", List.of(3, 3),
            "programs", List.of(4, 6));

    private Floors() {}

    /** The floor of a module by its path. */
    static Optional<Integer> of(String module) {
        return Optional.ofNullable(OF_MODULE.get(module)).or(() -> Optional.ofNullable(OF_FOLDER.get(folder(module))));
    }

    /** Does a folder that stands for a floor or a side hold what stands there? What tests the house lies in {@code testing}, whatever its floor. */
    static boolean liesWhereItStands(String module) {
        int floor = of(module).orElse(AROUND);
        List<Integer> floors = IN_FOLDER.getOrDefault(folder(module), List.of(AROUND, AROUND));
        return folder(module).equals("testing") || (floors.get(0) <= floor && floor <= floors.get(1));
    }

    /** The folder that a module lies in; empty beside the folders. */
    static String folder(String module) {
        return module.substring(0, Math.max(0, module.indexOf('/')));
    }

    /** Floors 0 to 2 carry a module descriptor and no third-party dependency; save the contract suites, which are made of tests. */
    static boolean isBare(String module) {
        return of(module).orElse(AROUND) <= 2 && !module.endsWith("-tck");
    }

    /** What users embed: it takes no XML and no YAML. */
    static boolean isLibrary(String module) {
        return of(module).orElse(AROUND) <= 3 || folder(module).equals("integrations");
    }
}
