package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.time.Timeline;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.data.ACL;

/** What all parts of one coordinator share; immutable. */
record Surroundings(
        ZooKeeperUri address, Timeline timeline, Duration requestTimeout, Mode mode, Owner owner, Turns turns) {
    Nodes nodes() {
        return new Nodes(address.root());
    }

    List<ACL> acl() {
        return owner.acl();
    }

    long nanos() {
        return timeline.nanos();
    }

    /** Runs something on the coordinator's thread after a while. */
    Timeline.Alarm after(Duration wait, Runnable turn) {
        return timeline.at(timeline.nanos() + wait.toNanos(), () -> turns.execute(turn));
    }
}
