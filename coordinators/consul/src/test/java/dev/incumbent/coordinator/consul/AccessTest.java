package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.accepted;
import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.claim;
import static dev.incumbent.coordinator.consul.Asking.enlisted;
import static dev.incumbent.coordinator.consul.Asking.found;
import static dev.incumbent.coordinator.consul.Asking.id;
import static dev.incumbent.coordinator.consul.Asking.reading;
import static dev.incumbent.coordinator.consul.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.consul.Asking.Listener;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where Consul checks tokens: each right is enough for what it is for, and a denial is told as one, never as a refusal, a death or an empty list. */
@Tag("realtime")
final class AccessTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static ConsulServer server;
    private static SystemTimeline timeline;

    private final ElectionName election = new ElectionName("access/" + UUID.randomUUID());
    private final List<Coordinator> opened = new ArrayList<>();

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

    @AfterEach
    void close() {
        opened.forEach(Coordinator::close);
    }

    @Test
    void theRightsThatTheDocumentationNamesAreEnough() throws Exception {
        Coordinator one =
                withRules("key_prefix \"team/\" { policy = \"write\" } session_prefix \"\" { policy = \"write\" }");

        GrantedLease lease = answer(one.grant(id("ada"), Duration.ofSeconds(2)));
        answer(one.enlist(election, enlisted("ada", lease.id())));
        Revision current = accepted(one.swap(election, Revision.ABSENT, claim("ada", lease.id())));
        answer(one.keepAlive(lease.id()));

        assertThat(found(one, election).revision()).isEqualTo(current);
        assertThat(answer(one.candidates(Set.of(election))).get(election)).hasSize(1);
        assertThat(answer(one.elections(""))).contains(election);
        answer(one.revoke(lease.id()));
        assertThat(found(one, election).leaseAlive()).isFalse();
    }

    @Test
    void whoMayOnlyReadSeesAllAndIsDeniedTheRest() throws Exception {
        Coordinator owner = withToken(ConsulServer.MASTER_TOKEN);
        GrantedLease lease = answer(owner.grant(id("ada"), Duration.ofSeconds(5)));
        answer(owner.enlist(election, enlisted("ada", lease.id())));
        Revision current = accepted(owner.swap(election, Revision.ABSENT, claim("ada", lease.id())));
        Coordinator reader = withRules("key_prefix \"team/\" { policy = \"read\" }");

        assertThat(found(reader, election).leaseAlive()).isTrue();
        assertThat(answer(reader.candidates(Set.of(election))).get(election)).hasSize(1);
        assertThat(answer(reader.elections("access"))).contains(election);
        Listener heard = new Listener();
        reader.watch(election, heard);
        assertThat(heard.next()).isEqualTo(current.toString());

        assertDenied(reader.swap(election, current, vacant(1)));
        assertDenied(reader.swap(election, Revision.ABSENT, vacant(1)));
        assertDenied(reader.enlist(election, enlisted("bob", lease.id())));
        assertDenied(reader.withdraw(election, id("ada")));
        assertDenied(reader.grant(id("bob"), Duration.ofSeconds(2)));
        assertDenied(reader.keepAlive(lease.id()));
        assertDenied(reader.revoke(lease.id()));
        assertThat(found(owner, election).revision()).isEqualTo(current);
    }

    @Test
    void whoMayReadNothingIsDeniedAndNotToldThatThereIsNothing() throws Exception {
        Coordinator owner = withToken(ConsulServer.MASTER_TOKEN);
        accepted(owner.swap(election, Revision.ABSENT, vacant(1)));
        Coordinator stranger = withRules(
                "key_prefix \"elsewhere/\" { policy = \"write\" } session_prefix \"\" { policy = \"write\" }");

        assertUnread(stranger);
        assertUnread(withToken("no-such-token"));
        assertUnread(withToken(""));
        assertDenied(stranger.candidates(Set.of(election)));
        assertDenied(stranger.elections(""));
        assertDenied(stranger.swap(election, Revision.ABSENT, vacant(1)));
    }

    @Test
    void whoMayReadRecordsAndNoLeasesIsNotToldThatTheLeaderIsDead() throws Exception {
        Coordinator owner = withToken(ConsulServer.MASTER_TOKEN);
        GrantedLease lease = answer(owner.grant(id("ada"), Duration.ofSeconds(5)));
        accepted(owner.swap(election, Revision.ABSENT, claim("ada", lease.id())));
        Coordinator half = withRules("key_prefix \"team/e/\" { policy = \"read\" }");

        assertUnread(half);
    }

    @Test
    void aWatchIsToldAGapAndNothingElseWhileItIsDenied() throws Exception {
        Coordinator owner = withToken(ConsulServer.MASTER_TOKEN);
        Revision first = accepted(owner.swap(election, Revision.ABSENT, vacant(1)));
        String name = "p-" + UUID.randomUUID();
        Listener heard = new Listener();
        withToken(server.tokenOf(name, "key_prefix \"team/\" { policy = \"read\" }"))
                .watch(election, heard);
        assertThat(heard.next()).isEqualTo(first.toString());

        server.changeRules(name, "key_prefix \"elsewhere/\" { policy = \"read\" }");
        assertThat(heard.next()).isEqualTo("gap");
        Revision second = accepted(owner.swap(election, first, vacant(2)));
        server.changeRules(name, "key_prefix \"team/\" { policy = \"read\" }");

        assertThat(heard.nextRecord()).isEqualTo(second.toString());
    }

    private Coordinator withRules(String rules) {
        return withToken(server.tokenOf("p-" + UUID.randomUUID(), rules));
    }

    private Coordinator withToken(String token) {
        String uri = "consul://127.0.0.1:" + server.port() + "/team?session-ttl-min-ms=2000"
                + (token.isEmpty() ? "" : "&token=" + token);
        Coordinator client = new ConsulCoordinatorProvider().open(uri, timeline, TIMEOUT, Mode.CREATE);
        opened.add(client);
        return client;
    }

    private void assertUnread(Coordinator client) {
        try {
            assertThat(reading(client, election)).isInstanceOf(Reading.Unread.class);
        } catch (Exception denied) {
            assertThat(denied).isInstanceOf(CoordinatorUnusableException.class);
        }
    }

    private static void assertDenied(CompletionStage<?> call) {
        assertThatThrownBy(() -> answer(call))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("denies")
                .hasMessageContaining("Permission denied")
                .matches(failure -> !((CoordinatorException) failure).mayHaveApplied());
    }
}
