package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.failure;
import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.TcpProxy;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone leads to a DynamoDB. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("patient")
class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final CandidateId ADA = new CandidateId("ada");
    private static final Duration LEASE = Duration.ofMinutes(2);

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(20));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly("127.0.0.3", "127.0.0.1");
        try (TcpProxy second = TcpProxy.to(rig.server().port())) {
            Coordinator client = open(second.port());

            LeaseId lease = join(client.grant(ADA, LEASE)).id();
            join(client.keepAlive(lease));
            join(client.revoke(lease));

            assertThat(join(client.elections(""))).isEmpty();
        }
    }

    @Test
    void whereNoAddressTakesConnectionsNothingHasApplied() {
        TcpProxy gone = TcpProxy.to(rig.server().port());
        gone.close();

        CoordinatorException failure = failure(open(gone.port()).grant(ADA, LEASE));

        assertThat(failure).hasMessage("DynamoDB in http://" + HOST + ":" + gone.port() + " cannot be reached");
        assertThat(failure.mayHaveApplied()).isFalse();
    }

    private Coordinator open(int port) {
        String uri = DynamoDbServer.uri(rig.table(), port).replace("127.0.0.1", HOST);
        return rig.remembered(rig.open(uri, Mode.CREATE));
    }
}
