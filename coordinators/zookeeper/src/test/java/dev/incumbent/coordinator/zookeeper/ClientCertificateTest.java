package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.zookeeper.ZooKeeperUri;
import java.util.Map;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A client certificate is an identity, as the client's own system properties name it. Alone in its JVM while it runs, for the properties are the JVM's. */
@Isolated
final class ClientCertificateTest {
    private static final String SECURE = "zookeeper.client.secure";
    private static final String KEY_STORE = "zookeeper.ssl.keyStore.location";

    @AfterEach
    void forget() {
        System.clearProperty(SECURE);
        System.clearProperty(KEY_STORE);
    }

    @Test
    void aClientWithACertificateHasAnIdentityAndItsNodesAreItsOwn() {
        System.setProperty(SECURE, "true");
        System.setProperty(KEY_STORE, "/somewhere/client.jks");

        assertThat(owner().isKnown()).isTrue();
        assertThat(owner().acl()).containsExactly(new ACL(Perms.ALL, new Id("auth", "")));
    }

    @Test
    void aClientThatUsesTlsWithoutACertificateHasNoIdentity() {
        System.setProperty(SECURE, "true");

        assertThatItIsNobody();
    }

    @Test
    void aCertificateThatIsNotUsedIsNoIdentity() {
        System.setProperty(KEY_STORE, "/somewhere/client.jks");

        assertThatItIsNobody();
        System.setProperty(SECURE, "false");
        assertThatItIsNobody();
    }

    private static void assertThatItIsNobody() {
        assertThat(owner().isKnown()).isFalse();
        assertThat(owner().acl()).containsExactly(new ACL(Perms.ALL, new Id("world", "anyone")));
    }

    private static Owner owner() {
        return Owner.at(ZooKeeperUri.parse("zk://localhost:2281/incumbent", Map.of()));
    }
}
