package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.SystemTimeline;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights above the path that {@code docs/coordinators/zookeeper.md} names are enough, none of them can be left out, and its {@code setAcl} takes open nodes over. */
class RightsTest {
    private static final String OWNER = "owner:of-the-parent";
    private static final String ADA = "?user=ada&password=s3cret";

    private final SystemTimeline timeline = new SystemTimeline();
    private final String parent = "/rights-" + UUID.randomUUID();
    private final String root = parent + "/incumbent";

    @AfterEach
    void close() {
        timeline.close();
    }

    @Test
    @Tag("realtime")
    void whoMayCreateAndReadAboveThePathMakesItAndLeads() throws Exception {
        mayAbove(Perms.CREATE | Perms.READ);

        try (Coordinator ada = open(ADA)) {
            leads(ada);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Perms.CREATE, Perms.READ, Perms.ALL & ~Perms.CREATE, Perms.ALL & ~Perms.READ})
    void whoMayNotDoBothMakesNothingAndIsTold(int rights) throws Exception {
        mayAbove(rights);

        try (Coordinator ada = open(ADA)) {
            assertThat(Asking.failure(ada.elections("")))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageStartingWith("zk://" + Servers.shared().hostPort() + root
                            + " may not be used as user ada: no permission for ")
                    .hasMessageNotContaining("s3cret");
        }
        List<String> made = asOwner(plain -> plain.getChildren(parent, false));
        assertThat(made).isEmpty();
    }

    @Test
    void whoMayNotReadANodeFurtherAboveIsToldWhich() throws Exception {
        mayAbove(Perms.ALL & ~Perms.READ);
        asOwner(plain -> plain.create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));

        try (Coordinator ada = open(ADA)) {
            assertThat(Asking.failure(ada.elections(""))).hasMessageContaining("no permission for reading " + parent);
        }
    }

    @Test
    @Tag("realtime")
    void theSetAclOfThePageTakesOpenNodesOver() throws Exception {
        mayAbove(Perms.ALL);
        try (Coordinator open = open("")) {
            leads(open);
        }

        Servers.shared().zkCli("addauth digest ada:s3cret", "setAcl -R " + root + " auth::cdrwa");

        try (Coordinator ada = open(ADA)) {
            assertThat(Asking.found(ada).record().term()).isEqualTo(1);
        }
        try (Coordinator stranger = open("")) {
            assertThat(Asking.failure(stranger.elections(""))).hasMessageContaining("no permission for ");
        }
    }

    /** So much may everybody do above the path; it stays its owner's. */
    private void mayAbove(int rights) throws NoSuchAlgorithmException {
        Id owner = new Id("digest", DigestAuthenticationProvider.generateDigest(OWNER));
        List<ACL> acl = Arrays.asList(new ACL(Perms.ALL, owner), new ACL(rights, Ids.ANYONE_ID_UNSAFE));
        asOwner(plain -> plain.create(parent, new byte[0], acl, CreateMode.PERSISTENT));
    }

    private static <T> T asOwner(Plain.Visit<T> visit) {
        return Plain.at(Servers.shared().hostPort(), plain -> {
            plain.addAuthInfo("digest", OWNER.getBytes(StandardCharsets.UTF_8));
            return visit.with(plain);
        });
    }

    private static void leads(Coordinator client) {
        LeaseId lease = Asking.granted(client, Duration.ofSeconds(5)).id();
        Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));
        assertThat(Asking.found(client).leaseAlive()).isTrue();
    }

    private Coordinator open(String query) {
        String at = "zk://" + Servers.shared().hostPort() + root + query;
        return new ZooKeeperCoordinatorProvider().open(at, timeline, Duration.ofSeconds(10), Mode.CREATE);
    }
}
