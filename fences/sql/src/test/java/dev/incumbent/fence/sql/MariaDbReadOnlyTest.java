package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.Sinks;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica knows what may be old, and an administrator may write to it all the same: it is no sink until it takes writes. */
@Tag("field")
class MariaDbReadOnlyTest {
    private static final String REFUSAL = "the server is read-only, as a replica is";

    @Test
    void aServerThatIsReadOnlyTakesNoRaiseAndTellsNoMarkEvenToItsAdministrator() {
        try (MariaDbServer server = MariaDbServer.start()) {
            Sinks.install(server.jdbcUrl());
            assertThat(server.client("set global read_only=1")).isEmpty();

            try (Sink sink = open(server.jdbcUrl())) {
                assertRefused(raise(sink, 7));
                assertRefused(sink.marks());

                assertThat(server.client("set global read_only=0")).isEmpty();
                assertThat(raised(sink, 7)).isInstanceOf(Raise.Raised.class);
            }
            assertOfferedNothingOverKeptConnections(server.jdbcUrl(), server::client);
        }
    }

    @Test
    @Tag("trial")
    void aMySqlThatIsMadeReadOnlyTakesNothingOverTheConnectionsThatItKeeps() {
        MySqlDatabase.assumeInstalled();
        try (MySqlServer server = MySqlServer.start()) {
            Sinks.install(server.jdbcUrl());
            assertOfferedNothingOverKeptConnections(server.jdbcUrl(), server::client);
        }
    }

    /** The server cuts no session when it is made read-only, as a planned switchover makes it. The procedures have their installer's right to write all the same. */
    private static void assertOfferedNothingOverKeptConnections(String url, UnaryOperator<String> client) {
        assertThat(client.apply(
                        "create user raiser@'%' identified by 'r';" + " grant select, execute on *.* to raiser@'%'"))
                .isEmpty();
        String raiser = url.replaceFirst("user=[^&]*", "user=raiser").replaceFirst("password=[^&]*", "password=r");
        try (Sink one = open(url);
                Sink all = open(raiser);
                Sink administrators = open(url);
                Sink ordinary = open(raiser)) {
            for (Sink sink : List.of(one, all, administrators, ordinary)) {
                assertThat(raised(sink, 7)).isInstanceOf(Raise.Raised.class);
            }
            SoftAssertions softly = new SoftAssertions();
            becomeReadOnlyUnderAnAdmission(url, client, softly);

            assertRefused(softly, "the marks of one", () -> get(one.marks(Set.of(Leader.BILLING))));
            assertRefused(softly, "all marks", () -> get(all.marks()));
            assertRefused(
                    softly,
                    "a raise by hand",
                    () -> client.apply("call incumbent_raise('billing', 8, 'operator:hand')"));
            assertRefused(softly, "an administrator's raise", () -> raised(administrators, 9));
            assertRefused(softly, "a raise by whom the server would refuse", () -> raised(ordinary, 10));
            softly.assertThat(client.apply("select token from incumbent_fence")).isEqualTo("7");
            softly.assertAll();

            assertThat(client.apply("set global read_only=0")).isEmpty();
            assertThat(raised(administrators, 8)).isInstanceOf(Raise.Raised.class);
        }
    }

    /** Over a session that is kept, too. Makes the server read-only. */
    private static void becomeReadOnlyUnderAnAdmission(
            String url, UnaryOperator<String> client, SoftAssertions softly) {
        try (Connection leader = DriverManager.getConnection(url)) {
            Fence fence = JdbcFence.over(leader);
            leader.setAutoCommit(false);
            fence.admit(Leader.BILLING, new FencingToken(7));
            leader.commit();

            assertThat(client.apply("set global read_only=1")).isEmpty();

            assertRefused(softly, "an admission", () -> fence.admit(Leader.BILLING, new FencingToken(7)));
            leader.rollback();
        } catch (SQLException | FenceException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void assertRefused(SoftAssertions softly, String what, ThrowingCallable question) {
        softly.assertThatThrownBy(question).as(what).hasMessageContaining(REFUSAL);
    }

    private static Sink open(String url) {
        return new SqlSinkProvider().open(url, Duration.ofSeconds(10));
    }

    private static void assertRefused(CompletionStage<?> answer) {
        assertThatThrownBy(() -> get(answer)).hasMessageContaining(REFUSAL);
    }

    private static Raise raised(Sink sink, long token) {
        return get(raise(sink, token));
    }

    private static CompletionStage<Raise> raise(Sink sink, long token) {
        return sink.raise(Leader.BILLING, new Mark(new FencingToken(token), MarkOwner.ofOperator("me")));
    }

    private static <T> T get(CompletionStage<T> answer) {
        return answer.toCompletableFuture().join();
    }
}
