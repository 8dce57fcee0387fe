package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The limits that {@code docs/operating/server.md} tells are those that a node has unless it is told otherwise. */
class BoundsPageTest {
    private final String page = Files.readString(Path.of("..", "..", "docs", "operating", "server.md"));

    BoundsPageTest() throws IOException {}

    @Test
    void thePageTellsTheLimitsOfBothPorts() {
        Bounds.Crowd clients = Bounds.OF_CLIENTS.crowd();
        Bounds.Crowd members = Bounds.OF_MEMBERS;
        Bounds.Patience patience = Bounds.OF_CLIENTS.patience();
        Bounds.Sizes sizes = Bounds.OF_CLIENTS.sizes();

        assertThat(page)
                .contains("| connections | " + ofWhich(clients.all(), clients.ofOnePlace()))
                .contains("| strangers' connections | " + ofWhich(clients.strangers(), clients.strangersOfOnePlace()))
                .contains("| handshake of TLS | " + seconds(patience.handshake()) + " |")
                .contains("| headers | " + seconds(patience.head()) + ", " + sizes.headers() + " bytes; the first line "
                        + sizes.line() + " bytes |")
                .contains("| body | " + seconds(patience.body()) + "; " + (Route.LONGEST >> 20) + " MiB for calls")
                .contains("together | " + (sizes.bodies() >> 20) + " MiB | 503 |")
                .contains("except watches and `status` | " + sizes.underWay() + " | 503 |")
                .contains("| answer not read | " + seconds(patience.reading()) + " |")
                .contains("| answers not read, together | " + (sizes.answers() >> 20) + " MiB |")
                .contains("of one request, together | " + (Calls.MOST_ANSWERED >> 20) + " MiB |")
                .contains("together | " + (Watches.MOST_WATCHED >> 20) + " MiB, " + Watches.OF_A_NAME
                        + " bytes besides for each |")
                .contains("| idle between requests | " + seconds(patience.idle()) + " |")
                .contains("takes " + members.all() + " connections, " + members.ofOnePlace()
                        + " from one address. Of these, " + members.strangers() + " may have made no call yet, "
                        + members.strangersOfOnePlace() + " from one address.");
    }

    private static String ofWhich(int all, int ofOnePlace) {
        return all + ", of which " + ofOnePlace + " from one address |";
    }

    private static String seconds(Duration length) {
        return length.toSeconds() + " s";
    }
}
