package dev.incumbent.coordinator.consul;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names of all keys at once: they bear which record each election has, and how leases stand. Immutable. */
final class Listing {
    static final Listing NONE = new Listing(List.of());

    private final List<String> names;
    private final Map<ElectionName, Set<String>> nonces = new HashMap<>();
    private final Set<LeaseId> held = new HashSet<>();
    private final Set<LeaseId> promised = new HashSet<>();

    private Listing(List<String> names) {
        this.names = names;
    }

    static Listing of(Keys keys, List<String> names) {
        Listing listing = new Listing(List.copyOf(names));
        for (String name : names) {
            keys.leaseOf(name).ifPresent(listing.held::add);
            keys.promisedOf(name).ifPresent(listing.promised::add);
            keys.nonceOf(name)
                    .ifPresent(nonce -> keys.electionOf(name)
                            .ifPresent(election -> listing.nonces
                                    .computeIfAbsent(election, it -> new HashSet<>())
                                    .add(nonce)));
        }
        return listing;
    }

    Set<String> nonces(ElectionName election) {
        return nonces.getOrDefault(election, Set.of());
    }

    boolean isAlive(LeaseId lease) {
        return held.contains(lease) || promised.contains(lease);
    }

    /** The leases whose session has ended, and that are not buried. */
    Set<LeaseId> ended() {
        Set<LeaseId> ended = new HashSet<>(promised);
        ended.removeAll(held);
        return ended;
    }

    /** The same keys: then what was written lies within them. */
    boolean hasTheNamesOf(Listing other) {
        return names.equals(other.names);
    }
}
