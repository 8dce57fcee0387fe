package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.accepted;
import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.found;
import static dev.incumbent.coordinator.consul.Asking.id;
import static dev.incumbent.coordinator.consul.Asking.reading;
import static dev.incumbent.coordinator.consul.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose token, or whose rights, change while it runs. */
final class ChangedAccessTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(9);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final Duration A_BUSY_MACHINE = Duration.ofSeconds(1);
    private static final String ALL =
            "key_prefix \"team/\" { policy = \"write\" } session_prefix \"\" { policy = \"write\" }";
    private static final String NONE = "key_prefix \"elsewhere/\" { policy = \"write\" }";
    private static ConsulServer server;
    private static SystemTimeline timeline;

    private final ElectionName election = new ElectionName("changed/" + UUID.randomUUID());
    private final String policy = "p-" + UUID.randomUUID();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        server = ConsulServer.start(ConsulServer.Access.TOKENS, Duration.ofSeconds(2));
        timeline = new SystemTimeline();
    }

    @AfterAll
    static void stop() {
        server.close();
        timeline.close();
    }

    @Test
    @Tag("realtime")
    void aLeaderWhoseRightsAreTakenAwayIsDeniedEveryCallAndStopsWhenItsLeaseIsOver() throws Exception {
        String token = server.tokenOf(policy, ALL);
        try (Coordinator client = open("token=" + token, TIMEOUT);
                Elections elections =
                        Elections.over(client).name("ada").timing(timing()).open();
                Candidacy candidacy = elections.election(election.value()).campaign()) {
            Waiting.until("a leader", () -> candidacy.leadership().isPresent());
            Leadership leadership = candidacy.leadership().orElseThrow();
            Revision current = found(client, election).revision();
            LeaseId lease = found(client, election).record().lease().orElseThrow();

            server.changeRules(policy, NONE);
            long taken = timeline.nanos();

            assertAllDenied(client, current, lease);
            Waiting.until("the end of the term", () -> !leadership.holds());
            assertThat(timeline.nanos() - taken)
                    .isLessThanOrEqualTo(LEASE.plus(A_BUSY_MACHINE).toNanos());
        }
    }

    @Test
    @Tag("realtime")
    void aTokenThatIsRevokedIsDeniedEveryCall() throws Exception {
        String token = server.tokenOf(policy, ALL);
        try (Coordinator client = open("token=" + token, LONG_TIMEOUT)) {
            LeaseId lease = answer(client.grant(id("ada"), LEASE)).id();
            Revision first = accepted(client.swap(election, Revision.ABSENT, vacant(1)));

            server.revoke(token);

            assertAllDenied(client, first, lease);
        }
    }

    private void assertAllDenied(Coordinator client, Revision current, LeaseId lease) throws Exception {
        assertDenied(client.swap(election, current, vacant(9)));
        assertDenied(client.keepAlive(lease));
        assertDenied(client.grant(id("bob"), LEASE));
        assertDenied(client.candidates(Set.of(election)));
        String why;
        try {
            why = reading(client, election) instanceof Reading.Unread unread ? unread.why() : "it was read";
        } catch (CoordinatorUnusableException denied) {
            why = String.valueOf(denied.getMessage());
        }
        assertThat(why).contains("denies");
    }

    @Test
    void theTokenOfAFileIsReadAgainWhenTheFileChanges() throws Exception {
        String token = server.tokenOf(policy, ALL);
        Path file = Files.writeString(folder.resolve("token"), token + "\n");
        String stranger = server.tokenOf("p-" + UUID.randomUUID(), NONE);
        try (Coordinator client = open("token-file=" + file, LONG_TIMEOUT)) {
            Revision first = accepted(client.swap(election, Revision.ABSENT, vacant(1)));

            Files.writeString(file, stranger + "\n");
            assertDenied(client.swap(election, first, vacant(2)));
            Files.writeString(file, token);

            accepted(client.swap(election, first, vacant(3)));
        }
    }

    private static Timing timing() {
        return new Timing(
                LEASE,
                LEASE.dividedBy(3),
                TIMEOUT,
                Duration.ofMillis(200),
                Duration.ZERO,
                Timing.DRIFT_BOUND,
                Timing.MARGIN);
    }

    private static Coordinator open(String parameter, Duration requestTimeout) {
        String uri = "consul://127.0.0.1:" + server.port() + "/team?session-ttl-min-ms=2000&" + parameter;
        return new ConsulCoordinatorProvider().open(uri, timeline, requestTimeout, Mode.CREATE);
    }

    private static void assertDenied(CompletionStage<?> call) {
        assertThatThrownBy(() -> answer(call))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("denies")
                .matches(failure -> !((CoordinatorException) failure).mayHaveApplied());
    }
}
