package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.time.SystemTimeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A password that MySQL has not heard since it started, it wants to hear whole: it is told so over TLS, or where the user says that whoever answers is to be trusted. */
final class MySqlPasswordTest {
    private static final String PASSWORD = "hunter5";
    private static final String TRUSTING = "&allowPublicKeyRetrieval=true";

    private final SystemTimeline timeline = new SystemTimeline();
    private ServerRig rig;
    private String user;

    @BeforeEach
    void makeUser() {
        rig = new ServerRig(Servers.mySql());
        user = "u" + System.identityHashCode(this);
        rig.execute("create user " + user + "@'%' identified by '" + PASSWORD + "'");
        rig.execute("grant all on *.* to " + user + "@'%'");
    }

    @AfterEach
    void close() {
        if (rig != null) {
            rig.execute("drop user " + user + "@'%'");
            rig.close();
        }
        timeline.close();
    }

    @Test
    void itIsToldNobodyWithoutTlsAndTheSentenceNamesBothWaysOut() {
        CoordinatorUnusableException refused = refused(plain());

        assertThat(refused)
                .hasMessageContaining("is told no password of user " + user + " without TLS")
                .hasMessageContaining("sslMode=verify-full")
                .hasMessageContaining("allowPublicKeyRetrieval=true");
        assertThat(refused.getMessage()).doesNotContain(PASSWORD).doesNotContain("\n");
    }

    @Test
    void itIsToldOverTls() throws Exception {
        String certificate = Servers.certificateOfMySql().toString();

        try (Coordinator client = open(plain() + "&sslMode=verify-ca&serverSslCert=" + certificate)) {
            swapped(client, Revision.ABSENT, vacant(1));
        }
    }

    /** What works by luck, until the server starts again. */
    @Test
    void whoWasHeardOnceNeedsNoTlsAsLongAsTheServerRuns() throws Exception {
        try (Coordinator client = open(plain() + TRUSTING)) {
            swapped(client, Revision.ABSENT, vacant(1));
        }

        try (Coordinator client = open(plain())) {
            assertThat(found(client).record().term()).isEqualTo(1);
        }
    }

    private String plain() {
        return rig.place()
                .url()
                .apply(rig.place().port())
                .replace("user=" + MySqlServer.USER, "user=" + user)
                .replace(MySqlServer.PASSWORD, PASSWORD)
                .replace(TRUSTING, "");
    }

    private Coordinator open(String at) {
        return new SqlCoordinatorProvider().open(at, timeline, ServerRig.REQUEST_TIMEOUT, Mode.CREATE);
    }

    private CoordinatorUnusableException refused(String at) {
        return catchThrowableOfType(CoordinatorUnusableException.class, () -> open(at).close());
    }
}
