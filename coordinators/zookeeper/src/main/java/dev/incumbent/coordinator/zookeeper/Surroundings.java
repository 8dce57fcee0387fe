package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.time.Timeline;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** What all parts of one coordinator share; immutable. */
record Surroundings(ZooKeeperUri address, Timeline timeline, Duration requestTimeout, Mode mode, Turns turns) {
    Nodes nodes() {
        return new Nodes(address.root());
    }

    /** Who may touch what we create: ourselves where we name a user, else everybody. */
    List<ACL> acl() {
        Id who = address.digest().isPresent() ? new Id("auth", "") : new Id("world", "anyone");
        return Collections.singletonList(new ACL(Perms.ALL, who));
    }

    long nanos() {
        return timeline.nanos();
    }

    /** Runs something on the coordinator's thread after a while. */
    Timeline.Alarm after(Duration wait, Runnable turn) {
        return timeline.at(timeline.nanos() + wait.toNanos(), () -> turns.execute(turn));
    }
}
