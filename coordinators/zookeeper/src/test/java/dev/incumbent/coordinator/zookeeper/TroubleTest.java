package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is wrong is told in one sentence, with what and where. */
@Tag("realtime")
final class TroubleTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<Coordinator> opened = new ArrayList<>();
    private final String root = "/trouble-" + UUID.randomUUID();
    private final String server = Servers.shared().hostPort();

    @AfterEach
    void close() {
        opened.forEach(Coordinator::close);
        timeline.close();
    }

    private Coordinator open(String at, Mode mode, Duration requestTimeout) {
        Coordinator client = new ZooKeeperCoordinatorProvider().open(at, timeline, requestTimeout, mode);
        opened.add(client);
        return client;
    }

    private Coordinator open(String query) {
        return open("zk://" + server + root + query, Mode.CREATE, REQUEST_TIMEOUT);
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        String nobody = "127.0.0.1:" + FreePorts.one();

        CoordinatorException failure = Asking.failure(open("zk://" + nobody + "/x", Mode.CREATE, Duration.ofMillis(300))
                .elections(""));

        assertThat(failure).hasMessage("zk://" + nobody + "/x could not be reached in time: no connection");
        assertThat(failure.mayHaveApplied()).isFalse();
    }

    @Test
    void aHostWithoutAnAddressIsNamed() {
        CoordinatorException failure =
                Asking.failure(open("zk://no-such-host.invalid/x", Mode.CREATE, Duration.ofMillis(300))
                        .elections(""));

        assertThat(failure).hasMessageStartingWith("zk://no-such-host.invalid:2181/x could not be reached");
    }

    @Test
    void whatAUserMadeIsClosedToOthersAndTheRefusalIsNoAbsence() {
        Coordinator ada = open("?user=ada&password=secret");
        LeaseId lease = Asking.granted(ada, Duration.ofSeconds(5)).id();
        Asking.swapped(ada, Revision.ABSENT, Asking.claim(1, lease));
        assertThat(Asking.found(ada).leaseAlive()).isTrue();

        for (String other : List.of("", "?user=ada&password=wrong", "?user=eve&password=secret")) {
            CoordinatorException failure = Asking.failure(open(other).elections(""));

            assertThat(failure)
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageStartingWith("zk://" + server + root + " may not be used ")
                    .hasMessageContaining("no permission for ")
                    .hasMessageNotContainingAny("secret", "wrong");
        }
    }

    @Test
    void whoOnlyReadsCreatesNothing() {
        Coordinator reader = open("zk://" + server + root, Mode.READ_ONLY, REQUEST_TIMEOUT);

        assertThat(Asking.get(reader.elections(""))).isEmpty();
        assertThat(Asking.get(reader.memberCount())).as("one server alone").isEmpty();
        assertThat(Asking.reading(reader)).isInstanceOf(Reading.Absent.class);
        assertThat(Asking.failure(reader.swap(Asking.ELECTION, Revision.ABSENT, Asking.claim(1, new LeaseId("x")))))
                .hasMessageEndingWith("was opened to be read only");

        List<String> all = Plain.at(server, plain -> plain.getChildren("/", false));
        assertThat(all).doesNotContain(root.substring(1));
    }

    @Test
    void aReaderSeesWhatIsCreatedLater() {
        Coordinator reader = open("zk://" + server + root, Mode.READ_ONLY, REQUEST_TIMEOUT);
        assertThat(Asking.reading(reader)).isInstanceOf(Reading.Absent.class);
        Coordinator writer = open("");

        LeaseId lease = Asking.granted(writer, Duration.ofSeconds(5)).id();
        Asking.swapped(writer, Revision.ABSENT, Asking.claim(1, lease));

        assertThat(Asking.found(reader).leaseAlive()).isTrue();
    }

    @Test
    void aLeaseLongerThanTheLongestSessionIsRefusedWithTheNumbers() {
        CoordinatorException failure =
                Asking.failure(open("").grant(new dev.incumbent.model.CandidateId("ada"), Duration.ofSeconds(20)));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageEndingWith(
                        "grants no lease of 20000 ms: its longest session is 10000 ms (maxSessionTimeout)");
    }

    @Test
    void aServerWithoutPersistentWatchesIsCalledOld() {
        ZooKeeperUri address = ZooKeeperUri.parse("zk://h/x", java.util.Map.of());

        assertThat(Failures.of(address, Code.UNIMPLEMENTED, "watching all beneath /x/e", false))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("zk://h:2181/x is older than ZooKeeper 3.6");
    }

    @Test
    void whoeverRemovesEverythingIsFoundOutAndElectionsGoOn() {
        Coordinator client = open("");
        LeaseId lease = Asking.granted(client, Duration.ofSeconds(5)).id();
        Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));

        boolean removed = Plain.at(server, plain -> ZKUtil.deleteRecursive(plain, root, 64));
        assertThat(removed).isTrue();
        CoordinatorException failure =
                Asking.failure(client.swap(Asking.ELECTION, Revision.ABSENT, Asking.claim(2, lease)));

        assertThat(failure).hasMessageContaining("somebody removed");
        assertThat(failure.mayHaveApplied()).isFalse();
        Asking.within(
                Duration.ofSeconds(20),
                "a lease",
                () -> Asking.answers(client.grant(new dev.incumbent.model.CandidateId("ada"), Duration.ofSeconds(5))));
        Asking.swapped(client, Revision.ABSENT, Asking.claim(2, lease));
    }

    @Test
    void allRightsButAdminServe() {
        List<ACL> allButAdmin = Collections.singletonList(new ACL(Perms.ALL & ~Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));
        Plain.at(server, plain -> {
            for (String path : new Nodes(root).skeleton()) {
                plain.create(path, new byte[0], allButAdmin, CreateMode.PERSISTENT);
            }
            return true;
        });
        Coordinator client = open("");

        LeaseId lease = Asking.granted(client, Duration.ofSeconds(5)).id();
        Revision first = Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));
        Asking.get(client.enlist(Asking.ELECTION, Asking.enlisted(lease)));
        Asking.get(client.keepAlive(lease));
        Asking.swapped(client, first, Asking.claim(2, lease));
        Asking.get(client.withdraw(
                Asking.ELECTION, Asking.enlisted(lease).candidate().id()));
        Asking.get(client.revoke(lease));

        assertThat(Asking.found(client).leaseAlive()).isFalse();
    }

    @Test
    void whoMayOnlyReadReadsAndIsToldWhatItMayNot() {
        Coordinator owner = open("");
        LeaseId lease = Asking.granted(owner, Duration.ofSeconds(10)).id();
        Asking.swapped(owner, Revision.ABSENT, Asking.claim(1, lease));
        Plain.at(server, plain -> {
            for (String path : ZKUtil.listSubTreeBFS(plain, root)) {
                plain.setACL(path, Ids.READ_ACL_UNSAFE, -1);
            }
            return true;
        });

        Coordinator reader = open("zk://" + server + root, Mode.READ_ONLY, REQUEST_TIMEOUT);

        assertThat(Asking.found(reader).record().term()).isEqualTo(1);
        assertThat(Asking.get(reader.elections(""))).containsExactly(Asking.ELECTION);
        assertThat(Asking.failure(open("").enlist(Asking.ELECTION, Asking.enlisted(lease))))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageStartingWith(
                        "zk://" + server + root + " may not be used without a user: no permission for ");
    }

    /** The marker of its last record stays, and harms nothing. */
    @Test
    void anElectionWhoseNodeIsDeletedByHandBeginsAgain() {
        Coordinator client = open("");
        LeaseId lease = Asking.granted(client, Duration.ofSeconds(5)).id();
        Revision before = Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));

        Plain.at(server, plain -> {
            plain.delete(new Nodes(root).record(Asking.ELECTION), -1);
            return true;
        });

        assertThat(Asking.reading(client)).isInstanceOf(Reading.Absent.class);
        Revision again = Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));
        Asking.swapped(client, again, Asking.claim(2, lease));
        assertThat(Asking.get(client.swap(Asking.ELECTION, before, Asking.claim(3, lease))))
                .isInstanceOf(Swap.Refused.class);
    }

    @Test
    void aRecordThatIsWrittenByHandWithoutItsMarkerIsNotSwapped() {
        Coordinator client = open("");
        LeaseId lease = Asking.granted(client, Duration.ofSeconds(5)).id();
        Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));
        byte[] byHand = RecordJson.write(Asking.claim(7, lease)).getBytes(StandardCharsets.UTF_8);

        Plain.at(server, plain -> plain.setData(new Nodes(root).record(Asking.ELECTION), byHand, -1));

        Revision stored = Asking.found(client).revision();
        assertThat(Asking.get(client.swap(Asking.ELECTION, stored, Asking.claim(8, lease))))
                .isInstanceOf(Swap.Refused.class);
    }
}
