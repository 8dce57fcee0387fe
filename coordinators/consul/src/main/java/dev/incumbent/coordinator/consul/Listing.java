package dev.incumbent.coordinator.consul;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names of all keys at once: they bear which record each election has, and which leases live. Immutable. */
final class Listing {
    static final Listing NONE = new Listing(List.of());

    private final List<String> names;
    private final Map<ElectionName, Set<String>> nonces = new HashMap<>();
    private final Set<LeaseId> leases = new HashSet<>();

    private Listing(List<String> names) {
        this.names = names;
    }

    static Listing of(Keys keys, List<String> names) {
        Listing listing = new Listing(List.copyOf(names));
        for (String name : names) {
            keys.leaseOf(name).ifPresent(listing.leases::add);
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
        return leases.contains(lease);
    }

    /** The same keys: then what was written lies within them. */
    boolean hasTheNamesOf(Listing other) {
        return names.equals(other.names);
    }
}
