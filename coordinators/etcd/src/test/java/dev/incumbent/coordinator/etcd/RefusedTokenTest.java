package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request that etcd refuses for its token is sent again with a new token, and so is what follows it in the same call. */
class RefusedTokenTest {
    private static final String LOGIN = "/v3/auth/authenticate";
    private static final String GRANT = "/v3/lease/grant";
    private static final String KEEP = "/v3/lease/keepalive";
    private static final String TXN = "/v3/kv/txn";
    private static final String HEADER = "\"header\":{\"revision\":\"9\",\"raft_term\":\"3\"}";
    private static final String TOKEN = "{" + HEADER + ",\"token\":\"t\"}";
    private static final String GRANTED = "{" + HEADER + ",\"ID\":\"7\",\"TTL\":\"5\"}";
    private static final String KEPT = "{\"result\":" + GRANTED + "}";
    private static final String WRITTEN = "{" + HEADER + ",\"succeeded\":true}";
    private static final String FOUND = "{" + HEADER + ",\"succeeded\":true,\"responses\":[{\"response_range\":"
            + "{\"kvs\":[{\"key\":\"YQ==\",\"value\":\"YQ==\",\"mod_revision\":\"9\"}],\"count\":\"1\"}}]}";
    private static final String REFUSED =
            "{\"error\":\"etcdserver: invalid auth token\",\"code\":16,\"message\":\"etcdserver: invalid auth token\"}";
    private static final String UNKNOWN =
            "{\"error\":\"no lease\",\"code\":5,\"message\":\"etcdserver: requested lease not found\"}";

    private final ScriptedGateway gateway = new ScriptedGateway();
    private final EtcdClient client = new EtcdClient(
            EtcdAddress.parse("etcd://ada:pw@127.0.0.1:" + gateway.port() + "/app", Map.of()), Duration.ofSeconds(20));

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    /** Up to 3.5.27 and 3.6.8, etcd answers a keep-alive without a look at the token, and the read after it not. */
    @Test
    void aKeepAliveWhoseReadAloneIsRefusedIsReadAgain() {
        gateway.answers(List.of(TOKEN, KEPT, REFUSED, TOKEN, FOUND));

        assertThat(client.keepAlive(7, "/app/l/7").join()).isTrue();
        assertThat(gateway.asked()).containsExactly(LOGIN, KEEP, TXN, LOGIN, TXN);
    }

    /** A read before the keep-alive proves nothing of it. */
    @Test
    void aKeepAliveThatAloneIsRefusedIsAskedAgainWithTheReadAfterIt() {
        gateway.answers(List.of(TOKEN, REFUSED, FOUND, TOKEN, KEPT, FOUND));

        assertThat(client.keepAlive(7, "/app/l/7").join()).isTrue();
        assertThat(gateway.asked()).containsExactly(LOGIN, KEEP, TXN, LOGIN, KEEP, TXN);
    }

    @Test
    void aLeaseThatWasGrantedIsNotGrantedAgainForItsKey() {
        gateway.answers(List.of(TOKEN, GRANTED, REFUSED, TOKEN, WRITTEN));

        assertThat(client.grant(7, 5, "/app/l/7", "ada").join()).isEqualTo(5);
        assertThat(gateway.asked()).containsExactly(LOGIN, GRANT, TXN, LOGIN, TXN);
    }

    @Test
    void aKeyThatFoundNoLeaseIsWrittenAgainAfterTheGrant() {
        gateway.answers(List.of(TOKEN, REFUSED, UNKNOWN, TOKEN, GRANTED, WRITTEN));

        assertThat(client.grant(7, 5, "/app/l/7", "ada").join()).isEqualTo(5);
        assertThat(gateway.asked()).containsExactly(LOGIN, GRANT, TXN, LOGIN, GRANT, TXN);
    }

    @Test
    void aNewTokenThatIsRefusedTooIsTold() {
        gateway.answers(List.of(TOKEN, KEPT, REFUSED, TOKEN, REFUSED));

        assertThatThrownBy(() -> client.keepAlive(7, "/app/l/7").join())
                .hasMessageContaining("says: etcdserver: invalid auth token");
        assertThat(gateway.asked()).containsExactly(LOGIN, KEEP, TXN, LOGIN, TXN);
    }
}
