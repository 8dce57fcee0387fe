package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a stranger plants in schema public is not called, neither by writers nor by those who raise and install, although PostgreSQL prefers it: an operator or a function
 * whose argument types fit better than those of its own, or one of a schema that stands before its own in the search path. What is planted here fails when it is called.
 */
@Tag("trial")
class PlantedNamesTest {
    private static final String[] OPERATORS = {"=", "<>", ">", "<", "*", "-", "||"};
    private static final String[][] OPERANDS = {
        {"text", "text"},
        {"text", "varchar"},
        {"integer", "integer"},
        {"bigint", "integer"},
        {"bigint", "bigint"},
        {"integer", "interval"},
        {"interval", "interval"},
        {"integer", "text"},
        {"text", "integer"},
        {"text", "name"},
        {"text", "inet"},
        {"text", "numeric"},
        {"text", "bigint"},
        {"timestamptz", "timestamptz"},
        {"oid", "oid"},
        {"oid", "regclass"},
        {"\"char\"", "\"char\""}
    };
    private static final String[] FUNCTIONS = {
        "set_config(text, varchar, boolean)",
        "set_config(text, text, boolean)",
        "current_setting(text)",
        "current_setting(text, boolean)",
        "to_regclass(varchar)",
        "to_regclass(text)",
        "hashtext(text)",
        "md5(text)",
        "version()",
        "strpos(text, text)",
        "pg_advisory_xact_lock_shared(integer, integer)",
        "pg_advisory_xact_lock(integer, integer)",
        "pg_backend_pid()",
        "clock_timestamp()",
        "round(numeric, integer)",
        "gen_random_uuid()",
        "replace(text, text, text)",
        "to_regnamespace(text)",
        "to_regprocedure(text)",
        "pg_get_userbyid(oid)"
    };
    private static final String FAILS = " LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''planted''; END'";
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final PostgresDatabase database = PostgresDatabase.empty(PostgresDatabase.shared());

    @BeforeEach
    void plant() {
        List<String> plants = new ArrayList<>();
        plants.add("CREATE TABLE ledger(id bigserial PRIMARY KEY, line text NOT NULL)");
        for (String[] operands : OPERANDS) {
            String arguments = "(" + operands[0] + ", " + operands[1] + ")";
            plants.add("CREATE FUNCTION public.decides" + arguments + " RETURNS boolean" + FAILS);
            for (String operator : OPERATORS) {
                plants.add("CREATE OPERATOR public." + operator + " (LEFTARG = " + operands[0] + ", RIGHTARG = "
                        + operands[1] + ", FUNCTION = public.decides)");
            }
        }
        for (String function : FUNCTIONS) {
            plants.add("CREATE FUNCTION public." + function + " RETURNS text" + FAILS);
        }
        database.run(plants.toArray(String[]::new));
    }

    @AfterEach
    void end() {
        database.cutOff();
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "public,pg_catalog"})
    void nothingPlantedIsCalled(String path) throws Exception {
        String url = database.url() + "&options=-csearch_path=" + path.replace(",", "%2C");
        SqlSinkProvider provider = new SqlSinkProvider();
        provider.install(url);
        provider.guard(url, "ledger", Leader.BILLING);
        try (Sink sink = provider.open(url, Duration.ofSeconds(10))) {
            assertThat(raise(sink, 7)).isEqualTo(new Raise.Raised(mark(7)));
            assertThat(sink.marks(Set.of(Leader.BILLING, new ElectionName("other")))
                            .toCompletableFuture()
                            .join()
                            .marks())
                    .isEqualTo(Map.of(Leader.BILLING, mark(7)));
            try (Connection leader = Leader.ofTerm7(DriverManager.getConnection(url))) {
                Installation.execute(leader, "SET SESSION idle_in_transaction_session_timeout = '1h'");
                leader.commit();
                Leader.insert(leader, "in time");

                assertThatThrownBy(() -> raise(sink, 8))
                        .hasMessageContaining("it waits for process ")
                        .hasMessageContaining(
                                "(user postgres, application PostgreSQL JDBC Driver, client 127.0.0.1, idle"
                                        + " in transaction for ");
                leader.commit();
                assertThat(raise(sink, 8)).isEqualTo(new Raise.Raised(mark(8)));
                Leader.assertStale(() -> Leader.insert(leader, "late"));
                leader.rollback();
            }
        }
        provider.install(url);
        assertThat(database.lines()).containsExactly("in time");
    }

    private static Raise raise(Sink sink, long to) throws SQLException {
        try {
            return sink.raise(Leader.BILLING, mark(to), LEASE)
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException failure) {
            throw (RuntimeException) failure.getCause();
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(new CandidateId("leader")));
    }
}
