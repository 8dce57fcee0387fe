package dev.incumbent.fence.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone leads to a DynamoDB. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("patient")
class SeveralAddressesTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        DynamoDbServer.provideCredentials();
        try (DynamoDbServer server = DynamoDbServer.start();
                TcpProxy second = TcpProxy.to(server.port())) {
            String url = DynamoDbServer.uri("several", second.port()).replace("127.0.0.1", "several.test");
            DynamoDbSinkProvider provider = new DynamoDbSinkProvider();
            provider.install(url);

            try (Sink sink = provider.open(url, BOUND);
                    DynamoDbFence fence = DynamoDbFence.at(url, BOUND)) {
                Mark seven = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));
                assertThat(sink.raise(BILLING, seven).toCompletableFuture().get())
                        .isInstanceOf(Raise.Raised.class);
                DynamoDbTransaction transaction = fence.begin().put("several", MarkItems.key("ledger", "1"));
                transaction.admit(BILLING, new FencingToken(7));
                transaction.commit();
            }
        }
    }
}
