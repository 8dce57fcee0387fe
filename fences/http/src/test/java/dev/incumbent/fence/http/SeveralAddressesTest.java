package dev.incumbent.fence.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.SystemTimeline;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone is the service's. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
final class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    /** At another address there may be another process, which knows nothing of the requests that the first one still handles. */
    @Test
    void aRaiseGoesToTheFirstAddressAlone() throws Exception {
        Mark seven = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly("127.0.0.3", "127.0.0.1");
        try (SystemTimeline timeline = new SystemTimeline();
                Sink kept = new MemorySink(new MemoryStore(new SinkId("kept")), timeline, BOUND);
                Service service = new JdkService(HttpFence.over(kept, BOUND, "s3cret", BILLING), new Ledger());
                Sink sink = HttpSink.of(
                        "http://" + HOST + ":" + service.port(), Map.of("INCUMBENT_HTTP_SECRET", "s3cret"), BOUND)) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, seven).toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class);

            assertThat(kept.marks().toCompletableFuture().get().marks()).isEmpty();
        }
    }
}
