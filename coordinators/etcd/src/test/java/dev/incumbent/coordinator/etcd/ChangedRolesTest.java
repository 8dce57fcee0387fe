package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Roles that change under a client that is logged in: etcd refuses what comes with the login from before. */
@Tag("realtime")
class ChangedRolesTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final String ROLE = "of-ada";

    /** A JWT bears the number of the rights it was given under; a simple token does not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRoleThatChangesCostsNoCall(boolean jwt) {
        try (TemporaryFolder folder = TemporaryFolder.create("etcd-roles");
                EtcdServer server = secured(jwt ? EtcdAccessTest.jwt(folder, "10m") : "simple");
                Clients clients = new Clients()) {
            Coordinator ada = ada(clients, server);
            LeaseId lease = Clients.grant(ada, Duration.ofMinutes(1)).id();
            Revision at = Revision.ABSENT;

            for (int term = 1; term <= 4; term++) {
                server.etcdctl("role", "grant-permission", ROLE, "read", "/elsewhere/" + term);

                at = Clients.swapped(ada, ELECTION, at, Clients.claim(term, lease));
                assertThat(at).isNotEqualTo(Revision.ABSENT);
                assertThat(Clients.get(ada.read(Set.of(ELECTION))).get(ELECTION))
                        .isInstanceOf(Reading.Found.class);
                Clients.get(ada.keepAlive(lease));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRightThatIsTakenAwayIsToldAsARefusalUntilItIsBack(boolean jwt) {
        try (TemporaryFolder folder = TemporaryFolder.create("etcd-roles");
                EtcdServer server = secured(jwt ? EtcdAccessTest.jwt(folder, "10m") : "simple");
                Clients clients = new Clients()) {
            Coordinator ada = ada(clients, server);
            LeaseId lease = Clients.grant(ada, Duration.ofMinutes(1)).id();
            Revision first = Clients.swapped(ada, ELECTION, Revision.ABSENT, Clients.claim(1, lease));

            server.etcdctl("role", "revoke-permission", ROLE, "--prefix=true", "/app/");
            assertRefused(ada.read(Set.of(ELECTION)));
            assertRefused(ada.elections(""));
            assertRefused(ada.candidates(Set.of(ELECTION)));
            assertRefused(ada.swap(ELECTION, first, Clients.claim(2, lease)));
            server.etcdctl("role", "grant-permission", ROLE, "--prefix=true", "readwrite", "/app/");

            assertThat(Clients.swapped(ada, ELECTION, first, Clients.claim(3, lease)))
                    .isNotEqualTo(Revision.ABSENT);
        }
    }

    private static EtcdServer secured(String tokens) {
        EtcdServer server = EtcdServer.start("--auth-token", tokens);
        server.addUser("ada", "secret", "--prefix=true readwrite /app/");
        server.demandLogins();
        return server;
    }

    private static Coordinator ada(Clients clients, EtcdServer server) {
        return clients.open("etcd://ada:secret@127.0.0.1:" + server.port() + "/app");
    }

    private static void assertRefused(CompletionStage<?> call) {
        assertThatThrownBy(() -> Clients.get(call))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("permission denied")
                .matches(failure -> !((CoordinatorException) failure).mayHaveApplied());
    }
}
