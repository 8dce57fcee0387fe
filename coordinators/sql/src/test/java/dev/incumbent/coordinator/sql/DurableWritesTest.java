package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.enlisted;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What PostgreSQL acknowledges is on its disk, and on its synchronous standby's, whatever a session's commits wait for by default. */
@Tag("realtime")
final class DurableWritesTest {
    private static final int MANY = 60;

    /** Notes what each transaction that writes our rows waits for when it commits. */
    private static final String NOTES = "create table noted(what text, setting text, tx bigint);"
            + " create function note() returns trigger language plpgsql as $$ begin"
            + " insert into noted values (tg_op || ' ' || tg_table_name, current_setting('synchronous_commit'),"
            + " txid_current()); return null; end $$;";

    @ParameterizedTest
    @CsvSource({
        "off, false, on",
        "local, false, on",
        "remote_write, false, on",
        "remote_apply, false, remote_apply",
        "off, true, on",
        "local, true, on",
        "remote_write, true, on",
        "remote_apply, true, remote_apply"
    })
    void whatIsAcknowledgedIsDurableWhateverTheDefault(String byDefault, boolean pooled, String waitsFor)
            throws Exception {
        try (ServerRig rig = new ServerRig(Servers.postgresCommitting(byDefault, pooled));
                Coordinator client = rig.connect()) {
            LeaseId doomed = granted(client, Duration.ofMinutes(1)).id();
            Revision led = swapped(client, Revision.ABSENT, claim(doomed));
            rig.execute("update incumbent_lease set expires_us=0");
            note(rig);

            assertThat(found(client).leaseAlive()).as("buried").isFalse();
            LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
            get(client.keepAlive(lease));
            Asking.await(client.enlist(ELECTION, enlisted(lease)));
            Asking.await(client.enlist(ELECTION, enlisted(lease)));
            swapped(client, led, vacant(2));
            writeTogether(client, lease);
            Asking.await(client.withdraw(ELECTION, enlisted(lease).candidate().id()));
            Asking.await(client.revoke(lease));

            assertThat(column(rig, "select distinct what || ' ' || setting from noted"))
                    .containsExactlyInAnyOrder(
                            "INSERT incumbent_lease " + waitsFor,
                            "UPDATE incumbent_lease " + waitsFor,
                            "INSERT incumbent_candidate " + waitsFor,
                            "UPDATE incumbent_candidate " + waitsFor,
                            "DELETE incumbent_candidate " + waitsFor,
                            "INSERT incumbent_election " + waitsFor,
                            "UPDATE incumbent_election " + waitsFor);
            assertThat(column(rig, "select distinct what from noted group by what, tx having count(*)>1"))
                    .as("written together")
                    .contains("INSERT incumbent_candidate", "INSERT incumbent_election", "UPDATE incumbent_election");
        }
    }

    /** What waits together is one statement. */
    private static void writeTogether(Coordinator client, LeaseId lease) throws Exception {
        Enlisted enlisted = enlisted(lease);
        LeaderRecord claim = claim(lease);
        List<CompletionStage<?>> calls = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            calls.add(client.enlist(election(i), enlisted));
        }
        for (int i = 0; i < MANY; i++) {
            calls.add(client.swap(election(i), Revision.ABSENT, claim));
        }
        for (CompletionStage<?> call : calls) {
            Asking.await(call);
        }
        List<CompletionStage<Swap>> swaps = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            swaps.add(client.swap(election(i), new Revision(claim.nonce()), vacant(2)));
        }
        for (CompletionStage<Swap> swap : swaps) {
            assertThat(get(swap)).isInstanceOf(Swap.Accepted.class);
        }
    }

    private static ElectionName election(int number) {
        return new ElectionName("many/" + number);
    }

    /** A deferred trigger sees the transaction as it is about to commit. */
    private static void note(ServerRig rig) {
        rig.execute(NOTES);
        for (String table : List.of("incumbent_lease", "incumbent_candidate", "incumbent_election")) {
            rig.execute("create constraint trigger noted after insert or update or delete on " + table
                    + " deferrable initially deferred for each row execute function note()");
        }
    }

    private static List<String> column(ServerRig rig, String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = rig.connection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }
}
