package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The leases: each is one of etcd's and a key that lives with it. A lease is alive if and only if its key is there, and the key is written once. */
final class Leases {
    /** So many are remembered as this client's; whoever forgets one asks more rarely for what it holds. */
    private static final int MOST_MINE = 100;

    private final EtcdClient client;
    private final Keys keys;
    private final SecureRandom random = new SecureRandom();
    private final Set<LeaseId> mine = new LinkedHashSet<>();

    Leases(EtcdClient client, Keys keys) {
        this.client = client;
        this.keys = keys;
    }

    /** Tells no more than was asked for: the member that answers may make a lease longer by its own election timeout, and etcd's leader counts by its own. */
    CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        long number = 1 + (random.nextLong() >>> 1) % Long.MAX_VALUE;
        LeaseId id = new LeaseId(String.format(Locale.ROOT, "%016x", number));
        Duration asked =
                timeToLive.compareTo(EtcdCoordinator.LEASE_FLOOR) < 0 ? EtcdCoordinator.LEASE_FLOOR : timeToLive;
        long seconds = asked.plusNanos(999_999_999).toSeconds();
        return client.grant(number, seconds, keys.lease(id), owner.value()).thenApply(granted -> {
            remember(id);
            return new GrantedLease(id, Duration.ofSeconds(Math.min(granted, seconds)));
        });
    }

    /** Was it granted to this client? Any thread. */
    boolean isMine(LeaseId lease) {
        synchronized (mine) {
            return mine.contains(lease);
        }
    }

    private void remember(LeaseId lease) {
        synchronized (mine) {
            mine.add(lease);
            if (mine.size() > MOST_MINE) {
                mine.remove(mine.iterator().next());
            }
        }
    }

    CompletionStage<Boolean> keepAlive(LeaseId lease) {
        if (!isOurs(lease)) {
            return CompletableFuture.failedFuture(lost(lease));
        }
        return client.keepAlive(number(lease), keys.lease(lease)).thenApply(alive -> {
            if (!alive) {
                throw lost(lease);
            }
            return true;
        });
    }

    CompletionStage<Boolean> revoke(LeaseId lease) {
        return isOurs(lease) ? client.revoke(number(lease)) : CompletableFuture.completedFuture(true);
    }

    static LeaseLostException lost(LeaseId lease) {
        return new LeaseLostException(lease, "etcd does not know it any more");
    }

    /** Other ids were never granted here. */
    static boolean isOurs(LeaseId lease) {
        return lease.value().matches("[0-7][0-9a-f]{15}");
    }

    static long number(LeaseId lease) {
        return Long.parseLong(lease.value(), 16);
    }
}
