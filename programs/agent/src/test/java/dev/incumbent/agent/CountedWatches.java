package dev.incumbent.agent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A coordinator that knows how many watches are open: an election that nobody stands in is watched for whoever observes it. */
final class CountedWatches extends ForwardingCoordinator {
    private final Set<Watch> open = ConcurrentHashMap.newKeySet();

    CountedWatches(Coordinator within) {
        super(within);
    }

    int open() {
        return open.size();
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        Watch within = super.watch(election, watcher);
        Watch counted = new Watch() {
            @Override
            public void close() {
                open.remove(this);
                within.close();
            }
        };
        open.add(counted);
        return counted;
    }
}
