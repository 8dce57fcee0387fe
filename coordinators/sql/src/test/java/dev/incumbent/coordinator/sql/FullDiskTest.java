package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.SmallDisk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each call says while the server's disk is full. */
@Tag("realtime")
@Execution(ExecutionMode.CONCURRENT)
final class FullDiskTest {
    private static final int ENOUGH = 2_000;
    private static final CandidateId OWNER = new CandidateId("bob@host-2-y");

    enum Server {
        POSTGRES,
        MARIADB,
        MYSQL;

        OwnServer start() {
            return switch (this) {
                case POSTGRES -> OwnServer.postgres();
                case MARIADB -> OwnServer.mariaDb();
                case MYSQL -> OwnServer.mySql();
            };
        }
    }

    @BeforeEach
    void mayDisksBeMounted() {
        assumeThat(SmallDisk.isPossible()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whatNeedsMoreRoomIsRefusedAndWhatThereIsIsKept(Server kind) throws Exception {
        try (OwnServer server = kind.start();
                ServerRig rig = new ServerRig(server.place())) {
            Coordinator client = rig.connect();
            LeaseId lease = granted(client, rig.lease()).id();
            Revision revision = swapped(client, Revision.ABSENT, vacant(1));

            server.fill();
            CoordinatorException full = firstRefusedGrant(client, rig);

            assertThat(full).hasMessageContaining("the disk of the coordinator").hasMessageContaining("is full");
            assertThat(full.mayHaveApplied()).isFalse();
            get(client.keepAlive(lease));
            assertThat(found(client).revision()).isEqualTo(revision);

            server.recover();
            granted(client, rig.lease());
        }
    }

    private static CoordinatorException firstRefusedGrant(Coordinator client, ServerRig rig) throws Exception {
        CoordinatorException last = failure(client.grant(OWNER, rig.lease()));
        for (int i = 0; i < ENOUGH && String.valueOf(last.getMessage()).startsWith("it was answered"); i++) {
            last = failure(client.grant(OWNER, rig.lease()));
        }
        return last;
    }

    /** Its entry may stand in the log already, before the piece that could not be made. */
    @Test
    void whatEndsAPostgresThatCannotWriteItsLogMayHaveApplied() throws Exception {
        try (OwnServer server = OwnServer.postgres();
                ServerRig rig = new ServerRig(server.place())) {
            Coordinator client = rig.connect();
            Revision revision = swapped(client, Revision.ABSENT, vacant(1));
            LeaderRecord next = vacant(2);

            server.fill();
            rig.execute("select pg_switch_wal()");
            CoordinatorException ended = failure(client.swap(Asking.ELECTION, revision, next));

            assertThat(ended.mayHaveApplied()).as(ended.getMessage()).isTrue();
            OwnServer.awaitEnd(server.process());
            server.recover();
            assertThat(found(client).revision()).isIn(revision, new Revision(next.nonce()));
        }
    }
}
