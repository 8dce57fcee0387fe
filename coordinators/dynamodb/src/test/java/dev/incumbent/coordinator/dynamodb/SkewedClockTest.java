package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.failure;
import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.SkewedClockProxy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * AWS refuses a request whose time is more than five minutes off. The emulator does not look, so that what stands before it does. The SDK gives what it has learned
 * to all clients that are made later, so each clock here is off in its own way.
 */
@Tag("field")
@Tag("patient")
class SkewedClockTest {
    private static final CandidateId ADA = new CandidateId("ada");
    private static final Duration LEASE = Duration.ofMinutes(2);

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(20));

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2020-01-01T12:00:00Z", "2040-01-01T12:00:00Z"})
    void howFarTheClocksAreApartIsLearnedFromTheFirstRefusal(String clock) {
        try (SkewedClockProxy server = SkewedClockProxy.before(rig.server().port(), Instant.parse(clock))) {
            Coordinator client = open(server);

            LeaseId lease = join(client.grant(ADA, LEASE)).id();
            int atFirst = server.refused();
            join(client.keepAlive(lease));
            join(client.revoke(lease));

            assertThat(atFirst).isPositive();
            assertThat(server.refused()).as("refused later").isEqualTo(atFirst);
        }
    }

    @Test
    void aTableIsInstalledByAClockThatIsOff() {
        try (SkewedClockProxy server =
                SkewedClockProxy.before(rig.server().port(), Instant.parse("2021-01-01T12:00:00Z"))) {
            String table = rig.table() + "-anew";

            new DynamoDbCoordinatorProvider().install(DynamoDbServer.uri(table, server.port()), Duration.ofSeconds(20));

            assertThat(rig.hand().listTables().tableNames()).contains(table);
        }
    }

    /** It is the clock that is wrong, and not the credentials; whoever sets it needs to change nothing else. */
    @Test
    void aRefusalFromWhichNothingIsLearnedNamesTheClock() {
        try (SkewedClockProxy server =
                SkewedClockProxy.beforeWithoutDates(rig.server().port(), Instant.parse("2041-01-01T12:00:00Z"))) {
            CoordinatorException failure = failure(open(server).grant(ADA, LEASE));

            assertThat(failure)
                    .isNotInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining(
                            "refuses requests for their time, so this machine's clock is to be set: Signature expired");
            assertThat(failure.mayHaveApplied()).isFalse();
        }
    }

    private Coordinator open(SkewedClockProxy server) {
        return rig.remembered(rig.open(DynamoDbServer.uri(rig.table(), server.port()), Mode.CREATE));
    }
}
