package dev.incumbent.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ConsulServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone is a Consul's. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
final class SeveralAddressesTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        try (ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN)) {
            String url = "consul://several.test:" + server.port() + "/several";
            ConsulSinkProvider provider = new ConsulSinkProvider();
            provider.install(url);

            try (Sink sink = provider.open(url, Duration.ofSeconds(20))) {
                Mark seven = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));
                assertThat(sink.raise(BILLING, seven).toCompletableFuture().get())
                        .isInstanceOf(Raise.Raised.class);
                assertThat(sink.marks().toCompletableFuture().get().marks()).containsEntry(BILLING, seven);
            }
        }
    }
}
