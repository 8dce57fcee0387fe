package dev.incumbent.servers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where a server runs.
 *
 * @param address where it listens, as its clients and the other members reach it
 * @param launcher what its command stands behind, such as {@code ip netns exec NAME}
 */
public record Place(String address, List<String> launcher) {
    /** This machine, for whoever is on it. */
    public static final Place LOOPBACK = new Place("127.0.0.1", List.of());

    public Place {
        launcher = List.copyOf(launcher);
    }

    static List<Place> loopback(int count) {
        return Collections.nCopies(count, LOOPBACK);
    }

    /** The command, run here. */
    List<String> command(List<String> line) {
        List<String> all = new ArrayList<>(launcher);
        all.addAll(line);
        return all;
    }
}
