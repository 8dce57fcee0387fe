package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the client makes of ZooKeeper's events, and of a connection that ends while it reads what is watched. */
@Tag("realtime")
final class WatchTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final ElectionName OTHER = new ElectionName("shipping");

    private final ZooKeeperRig rig = new ZooKeeperRig(Servers.shared(), Duration.ofSeconds(2));
    private final Coordinator holder = rig.connect();
    private final Coordinator observer = rig.connect();

    /** Keeps the records it hears of. */
    private record Hearing(List<ObservedRecord> heard) implements Watcher {
        Hearing() {
            this(new CopyOnWriteArrayList<>());
        }

        boolean lastIsAlive(boolean alive) {
            return !heard.isEmpty() && heard.get(heard.size() - 1).leaseAlive() == alive;
        }

        @Override
        public void changed(ObservedRecord record) {
            heard.add(record);
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void theDeathOfALeaseIsToldOfWhatItLedAlone() {
        GrantedLease mine = Asking.granted(holder, LEASE);
        GrantedLease others = Asking.granted(holder, LEASE);
        Asking.swapped(holder, Revision.ABSENT, Asking.claim(1, mine.id()));
        Asking.get(holder.swap(OTHER, Revision.ABSENT, Asking.claim(1, others.id())));
        Hearing ofMine = new Hearing();
        Hearing ofOthers = new Hearing();
        observer.watch(Asking.ELECTION, ofMine);
        observer.watch(OTHER, ofOthers);
        Asking.within(SOON, "both leases", () -> ofMine.lastIsAlive(true) && ofOthers.lastIsAlive(true));

        Asking.get(holder.revoke(others.id()));

        Asking.within(SOON, "the death of one", () -> ofOthers.lastIsAlive(false));
        Asking.get(observer.elections(""));
        assertThat(ofMine.heard()).allMatch(ObservedRecord::leaseAlive);
        assertThat(Asking.found(observer).leaseAlive()).isTrue();
    }

    @Test
    void aWatchWhoseFirstReadWasNeverAnsweredIsToldOverTheNextConnection() {
        GrantedLease lease = Asking.granted(holder, LEASE);
        Asking.swapped(holder, Revision.ABSENT, Asking.claim(1, lease.id()));
        Hearing watcher = new Hearing();

        rig.cut(observer, Cut.SILENT);
        observer.watch(Asking.ELECTION, watcher);
        assertThat(Asking.answers(observer.read(Set.of(Asking.ELECTION)))).isFalse();
        assertThat(watcher.heard()).isEmpty();
        rig.heal(observer);

        Asking.within(SOON, "what is watched", () -> !watcher.heard().isEmpty());
    }
}
