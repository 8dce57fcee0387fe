package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The list of servers as ZooKeeper keeps it in {@code /zookeeper/config}. */
final class VotersTest {
    @Test
    void anObserverIsNoneOfThoseThatVote() {
        String config = """
                server.1=zk1:2888:3888:participant;0.0.0.0:2181
                server.2=zk2:2888:3888:participant;0.0.0.0:2181
                server.3=zk3:2888:3888:participant
                server.4=zk4:2888:3888:observer;0.0.0.0:2181
                version=100000000""";

        assertThat(Records.participants(config)).hasValue(3);
    }

    @Test
    void oneServerAloneListsNone() {
        assertThat(Records.participants("")).isEmpty();
        assertThat(Records.participants("version=0")).isEmpty();
    }
}
