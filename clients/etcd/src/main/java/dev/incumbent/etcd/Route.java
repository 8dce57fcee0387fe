package dev.incumbent.etcd;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Which member is asked: one, until it fails, then the next. Thread-safe. */
final class Route {
    private final List<EtcdAddress.Endpoint> endpoints;
    private final AtomicInteger current = new AtomicInteger();

    Route(List<EtcdAddress.Endpoint> endpoints) {
        this.endpoints = endpoints;
    }

    int length() {
        return endpoints.size();
    }

    EtcdAddress.Endpoint current() {
        return endpoints.get(Math.floorMod(current.get(), endpoints.size()));
    }

    /** That one failed: asks the next from now on, unless somebody has moved on already. */
    void leave(EtcdAddress.Endpoint failed) {
        int now = current.get();
        if (endpoints.get(Math.floorMod(now, endpoints.size())).equals(failed)) {
            current.compareAndSet(now, now + 1);
        }
    }
}
