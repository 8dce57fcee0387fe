package dev.incumbent.etcd;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which member is asked, and at which address if its host has several: one, until it fails, then the next. A host is resolved again for each connection, so its
 * addresses may change. Thread-safe.
 */
final class Route {
    private final List<EtcdAddress.Endpoint> endpoints;
    private final Resolver resolver;

    /** Guarded by this, as all below. */
    private final Map<EtcdAddress.Endpoint, List<InetAddress>> resolved = new HashMap<>();

    /** The addresses of the current endpoint that failed since it became the current one. */
    private final Set<InetAddress> failed = new HashSet<>();

    private int current;

    Route(List<EtcdAddress.Endpoint> endpoints, Resolver resolver) {
        this.endpoints = endpoints;
        this.resolver = resolver;
    }

    /** All addresses of a host, at least one; {@link InetAddress#getAllByName} as a rule. */
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** How many addresses there are to try. A host that was not resolved yet counts as one. */
    synchronized int length() {
        return endpoints.stream()
                .mapToInt(endpoint ->
                        Math.max(1, resolved.getOrDefault(endpoint, List.of()).size()))
                .sum();
    }

    synchronized EtcdAddress.Endpoint current() {
        return endpoints.get(current);
    }

    /** An address of that endpoint: the first that has not failed. Blocks while the host is resolved. */
    InetAddress address(EtcdAddress.Endpoint endpoint) throws UnknownHostException {
        List<InetAddress> all = List.of(resolver.addresses(endpoint.host()));
        synchronized (this) {
            resolved.put(endpoint, all);
            if (!endpoint.equals(current()) || failed.containsAll(all)) {
                failed.clear();
            }
            return all.stream()
                    .filter(address -> !failed.contains(address))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** That one failed: the next address is asked from now on, or the next member after a host's last address, unless somebody has moved on already. */
    synchronized void leave(EtcdAddress.Endpoint endpoint, Optional<InetAddress> address) {
        if (!endpoint.equals(current())) {
            return;
        }
        address.ifPresent(failed::add);
        if (address.isEmpty() || failed.containsAll(resolved.getOrDefault(endpoint, List.of()))) {
            failed.clear();
            current = (current + 1) % endpoints.size();
        }
    }
}
