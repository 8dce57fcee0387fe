package dev.incumbent.lab;

import dev.incumbent.simulation.Draws;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which protocols meet which scenarios.
 *
 * @param sizes of groups, from 2 to 99 members
 * @param leases lengths of leases; a protocol that has none runs with the first
 * @param seeds how many runs each cell has
 * @param base what the seeds are derived from
 */
public record LabGrid(
        List<LabProtocol> protocols,
        List<? extends ScenarioPlan> scenarios,
        List<Integer> sizes,
        List<Duration> leases,
        int seeds,
        long base) {
    public static final int MOST_MEMBERS = 99;

    /** The lease that the library takes unless it is told another. */
    public static final Duration USUAL_LEASE = Duration.ofSeconds(15);

    public LabGrid {
        protocols = List.copyOf(protocols);
        scenarios = List.copyOf(scenarios);
        sizes = List.copyOf(sizes);
        leases = List.copyOf(leases);
        if (seeds < 1) {
            throw new IllegalArgumentException("a cell has at least one seed, this one has " + seeds);
        }
        for (int size : sizes) {
            if (size < 2 || size > MOST_MEMBERS) {
                throw new IllegalArgumentException("a group has 2 to " + MOST_MEMBERS + " members, not " + size);
            }
        }
        for (Duration lease : leases) {
            if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(Duration.ofMinutes(10)) > 0) {
                throw new IllegalArgumentException("a lease is 1 s to 10 min long here, not " + lease);
            }
        }
    }

    /** One cell: a protocol in a scenario. */
    public record Place(LabProtocol protocol, ScenarioPlan scenario, int size, Duration lease) {}

    /** All cells, in order. */
    public List<Place> places() {
        List<Place> places = new ArrayList<>();
        for (ScenarioPlan scenario : scenarios) {
            for (int size : sizes) {
                for (LabProtocol protocol : protocols) {
                    leases.stream()
                            .limit(protocol.isLeased() ? leases.size() : 1)
                            .forEach(lease -> places.add(new Place(protocol, scenario, size, lease)));
                }
            }
        }
        return places;
    }

    /** The seed of a cell's run of that number, the same in all cells. */
    long seed(int run) {
        return Draws.mix(base, run);
    }
}
