package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.accepted;
import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.claim;
import static dev.incumbent.coordinator.consul.Asking.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server as it is set up without a word about sessions, with TLS: what it grants, and each misfortune in one sentence. */
@Tag("realtime")
final class UsualServerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final ElectionName ELECTION = new ElectionName("usual");
    private static ConsulServer server;
    private static SystemTimeline timeline;

    @BeforeAll
    static void start() {
        server = ConsulServer.start(ConsulServer.Access.TLS);
        timeline = new SystemTimeline();
    }

    @AfterAll
    static void stop() {
        server.close();
        timeline.close();
    }

    @Test
    void theShortestLeaseIsTenSecondsAndIsReleasedByThreeTimesThat() throws Exception {
        try (Coordinator client = open("consul://127.0.0.1:" + server.port() + "/lease")) {
            assertThat(answer(client.memberCount())).hasValue(1);
            long granted = timeline.nanos();
            GrantedLease lease = answer(client.grant(Asking.id("ada"), Duration.ofSeconds(3)));
            accepted(client.swap(ELECTION, Revision.ABSENT, claim("ada", lease.id())));
            assertThat(lease.timeToLive()).isEqualTo(Duration.ofSeconds(10));
            assertThat(client.capabilities().leaseFloor()).isEqualTo(Duration.ofSeconds(10));

            while (found(client, ELECTION).leaseAlive()) {
                SystemTimeline.sleep(Duration.ofMillis(100));
            }

            Duration lived = Duration.ofNanos(timeline.nanos() - granted);
            Duration told = lease.timeToLive().plus(client.capabilities().expiryLag());
            assertThat(lived).isBetween(Duration.ofSeconds(10), told.plusSeconds(3));
        }
    }

    /** Nothing told is not the same as a store without servers of its own. */
    @Test
    void whereNobodyAnswersTheNumberOfServersIsNotTold() {
        try (Coordinator client = open("consul://127.0.0.1:1/nobody")) {
            assertThatThrownBy(() -> answer(client.memberCount())).isInstanceOf(CoordinatorException.class);
        }
    }

    @Test
    void whatTheServerTakesForTooShortIsSaidWithItsNumbers() throws Exception {
        try (Coordinator client = open("consul://127.0.0.1:" + server.port() + "/short?session-ttl-min-ms=1000")) {
            assertThatThrownBy(() -> answer(client.grant(Asking.id("ada"), Duration.ofSeconds(3))))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("session-ttl-min-ms")
                    .hasMessageContaining("[10s=24h0m0s]");
        }
    }

    @Test
    void leasesOfMoreThanADayAreRefused() {
        try (Coordinator client = open("consul://127.0.0.1:" + server.port())) {
            assertThatThrownBy(() -> answer(client.grant(Asking.id("ada"), Duration.ofHours(25))))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("at most 86400 s")
                    .hasMessageContaining("one of 90000 s");
        }
    }

    /** Consul bounds the request, in which the record is in Base64: 4 bytes for 3. */
    @Test
    void aSwapWhoseRequestIsLongerThan512KilobytesIsRefusedAndNotApplied() throws Exception {
        try (Coordinator client = open("consul://127.0.0.1:" + server.port() + "/large")) {
            accepted(client.swap(ELECTION, Revision.ABSENT, recordOf(382)));
            Revision current = found(client, ELECTION).revision();

            assertThatThrownBy(() -> answer(client.swap(ELECTION, current, recordOf(385))))
                    .isInstanceOf(CoordinatorException.class)
                    .hasMessageContaining("answered 413")
                    .hasMessageContaining("txn_max_req_len")
                    .matches(failure -> !((CoordinatorException) failure).mayHaveApplied());
            assertThat(found(client, ELECTION).revision()).isEqualTo(current);
        }
    }

    private static LeaderRecord recordOf(int kilobytes) {
        return LeaderRecord.EMPTY
                .withFreeze(Optional.of(new Freeze("ops", "x".repeat(kilobytes * 1024), Instant.EPOCH, 1)))
                .written("of-" + kilobytes);
    }

    @Test
    void itIsReachedOverTlsByWhoTrustsItsAuthority() throws Exception {
        try (Coordinator client = open(secured() + "/tls?tls=true&ca-file=" + server.authority())) {
            accepted(client.swap(ELECTION, Revision.ABSENT, Asking.vacant(1)));

            assertThat(found(client, ELECTION).record().term()).isEqualTo(1);
        }
    }

    @Test
    void aCertificateThatIsNotTrustedIsNamedAndNothingIsSent() {
        try (Coordinator client = open(secured() + "/tls?tls=true")) {
            assertThatThrownBy(() -> answer(client.swap(ELECTION, Revision.ABSENT, Asking.vacant(1))))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("https://127.0.0.1:" + server.tlsPort())
                    .hasMessageContaining("not trusted")
                    .hasMessageContaining("ca-file");
        }
    }

    @Test
    void aPortOfTheOtherKindIsSaid() {
        try (Coordinator plain = open(secured());
                Coordinator tls = open("consul://127.0.0.1:" + server.port() + "?tls=true")) {
            assertThatThrownBy(() -> answer(plain.elections("")))
                    .isInstanceOf(CoordinatorException.class)
                    .hasMessageContaining("HTTPS server");
            assertThatThrownBy(() -> answer(tls.elections("")))
                    .isInstanceOf(CoordinatorException.class)
                    .hasMessageContaining("https://127.0.0.1:" + server.port());
        }
    }

    @Test
    void whereNobodyListensNothingWasApplied() {
        int port = FreePorts.one();
        try (Coordinator client = open("consul://127.0.0.1:" + port)) {
            assertThatThrownBy(() -> answer(client.swap(ELECTION, Revision.ABSENT, Asking.vacant(1))))
                    .isInstanceOf(CoordinatorException.class)
                    .isNotInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining(
                            "Consul at http://127.0.0.1:" + port + " cannot be reached: Connection refused")
                    .matches(failure -> !((CoordinatorException) failure).mayHaveApplied());
        }
    }

    @Test
    void aHostThatIsUnknownIsSaid() {
        try (Coordinator client = open("consul://no-such-host.invalid")) {
            assertThatThrownBy(() -> answer(client.elections("")))
                    .isInstanceOf(CoordinatorException.class)
                    .hasMessageContaining("no-such-host.invalid:8500 cannot be reached: its host is unknown");
        }
    }

    @Test
    void aMalformedUriIsRefusedAtOnceWithoutShowingASecret() {
        for (String uri : List.of(
                "consul:///p",
                "consul://h:8500/a//b",
                "consul://h:8500/a b?token=secret",
                "consul://:secret@h:8500/p",
                "consul://h/p?tokn=secret",
                "consul://h/p?session-ttl-min-ms=soon",
                "consul://h/p?token-file=/no/such/file")) {
            assertThatThrownBy(() -> open(uri))
                    .as(uri)
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    private static String secured() {
        return "consul://127.0.0.1:" + server.tlsPort();
    }

    private static Coordinator open(String uri) {
        return new ConsulCoordinatorProvider().open(uri, timeline, TIMEOUT, Mode.CREATE);
    }
}
