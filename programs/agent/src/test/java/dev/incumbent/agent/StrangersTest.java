package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users of the host who hold as many connections as they can, or send as slowly as they can. */
@Tag("realtime")
@Timeout(120)
class StrangersTest {
    /** More than one socket of the agent takes, and more than it has threads for. */
    private static final int MANY = 700;

    private static final int HEARTBEATS = 10;

    @TempDir
    Path folder;

    private AgentAtWork work;
    private WatchedOwner overPort;
    private WatchedOwner overSocket;

    @BeforeEach
    void start() throws IOException {
        work = new AgentAtWork(folder);
        PlainHttp port = work.port().bearing(AgentAtWork.STANDS);
        overPort = new WatchedOwner(LocalOwner.stand(port, "billing/port", 6000));
        overSocket = new WatchedOwner(LocalOwner.stand(work.socket(), "billing/socket", 6000));
    }

    @AfterEach
    void end() {
        overPort.close();
        overSocket.close();
        work.close();
    }

    @Test
    void whoHoldsAllConnectionsThatHeCanKeepsNobodyOut() {
        for (String said : new String[] {"", "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /v1/elec"}) {
            try (HeldConnections strangers = HeldConnections.open(port(), MANY, said)) {
                assertOwnersGoOn();
                assertThat(strangers.open()).isLessThanOrEqualTo(200);
            }
        }
    }

    @Test
    void whoShowsNoRightAndSaysNothingIsClosedSoon() {
        long began = System.nanoTime();
        try (HeldConnections strangers = HeldConnections.open(port(), 20, "")) {
            HeldConnections known =
                    HeldConnections.open(port(), 20, request("GET", "/v1/elections", AgentAtWork.READS, ""));

            Await.until("strangers are closed", () -> strangers.open() == 0);

            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began))
                    .isLessThan(20);
            assertThat(known.open()).isEqualTo(20);
            known.close();
        }
    }

    @Test
    void whoHasATokenTakesConnectionsFromNobodyElse() {
        String reads = request("GET", "/v1/elections", AgentAtWork.READS, "");
        String stands = request("GET", "/v1/elections", AgentAtWork.STANDS, "");
        try (HeldConnections others = HeldConnections.known(port(), 50, stands)) {
            try (HeldConnections many = HeldConnections.open(port(), MANY, reads)) {
                assertOwnersGoOn();
                assertThat(many.open()).isLessThanOrEqualTo(450);
                assertThat(others.open()).isEqualTo(50);
            }
        }
    }

    @Test
    void ofOneTokensConnectionsTheOneThatAskedLongestAgoGoes() {
        String reads = request("GET", "/v1/elections", AgentAtWork.READS, "");
        try (HeldConnections first = HeldConnections.known(port(), 1, reads);
                HeldConnections early = HeldConnections.known(port(), 300, reads)) {
            first.say(reads);
            Await.until("it asks again", () -> first.answered() == 1);

            try (HeldConnections late = HeldConnections.known(port(), 300, reads)) {
                Await.until("early ones are closed", () -> early.open() < 250);

                assertThat(late.open()).isEqualTo(300);
                assertThat(first.open()).isEqualTo(1);
            }
        }
    }

    @Test
    void whoStandsStillWithinABodyTakesNoThread() {
        String half = request("POST", "/v1/elections/billing%2Fhalf/campaign", AgentAtWork.STANDS, "{\"ttlMs\":2000}");
        try (HeldConnections slow = HeldConnections.open(port(), 100, half.substring(0, half.length() - 1))) {
            assertOwnersGoOn();
            assertThat(slow.open()).isEqualTo(100);
        }
    }

    private void assertOwnersGoOn() {
        int port = overPort.answered();
        int socket = overSocket.answered();
        Await.until(
                "heartbeats are answered over both sockets",
                () -> overPort.answered() > port + HEARTBEATS && overSocket.answered() > socket + HEARTBEATS);
        assertThat(overPort.troubles()).isEmpty();
        assertThat(overSocket.troubles()).isEmpty();
    }

    private SocketAddress port() {
        return work.port().address();
    }

    private static String request(String method, String path, String token, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }
}
