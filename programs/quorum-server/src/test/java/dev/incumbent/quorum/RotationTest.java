package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.wire.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tokens, certificates and the authority are replaced under a candidate that leads, which notices nothing. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class RotationTest {
    /** The first handshakes of a JVM take seconds on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TemporaryFolder folder = TemporaryFolder.create("rotation");

    @AfterEach
    void remove() {
        folder.close();
    }

    @Test
    void tokensAreReplacedUnderACandidateThatLeads() throws IOException {
        Path ofNodes = write("node.token", "old-n");
        Path ofCandidates = write("candidate.token", "old-c");
        Path ofTheClient = write("client.token", "old-c");
        Tokens tokens = Tokens.of(List.of(
                new Tokens.Held(EnumSet.of(Role.NODE), TokenFile.of("nodes", ofNodes)::now),
                new Tokens.Held(EnumSet.of(Role.CANDIDATE), TokenFile.of("candidates", ofCandidates)::now)));
        try (NodesHere nodes = NodesHere.start(new NodesHere.Access(tokens, Optional.empty()));
                Elections elections = elections(nodes.open(nodes.uri() + "?token-file=" + ofTheClient));
                Candidacy candidacy = elections.election("rotation/office").campaign(RotationTest::untilInterrupted)) {
            Leadership leadership = leadership(candidacy);

            write("node.token", "old-n\nnew-n");
            write("candidate.token", "old-c\nnew-c");
            assertThat(created(nodes, "new-c")).isInstanceOf(Swap.Accepted.class);
            write("node.token", "new-n\nold-n");
            write("client.token", "new-c\nold-c");
            assertEachNodeServes(nodes, "new-c");
            write("node.token", "new-n");
            write("candidate.token", "new-c");

            assertEachNodeServes(nodes, "new-c");
            assertThatThrownBy(() -> created(nodes, "old-c"))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("refuses the token");
            assertThat(Calling.post(nodes.members().get(0).port(), "/v1/roll", "", Optional.of("old-n"))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(leadership.holds()).isTrue();
            assertThat(candidacy.leadership()).contains(leadership);
        }
    }

    /** Which takes calls that a node passes on, with the nodes' own token. */
    private void assertEachNodeServes(NodesHere nodes, String token) throws IOException {
        for (Member member : nodes.members()) {
            Path file = write("probe-" + UUID.randomUUID(), token);
            Coordinator client = nodes.open(nodes.uri(member.name()) + "?token-file=" + file);
            assertThat(Calling.created(client, fresh())).isInstanceOf(Swap.Accepted.class);
        }
    }

    private Swap created(NodesHere nodes, String token) throws IOException {
        Path file = write("probe-" + UUID.randomUUID(), token);
        return Calling.created(nodes.open(nodes.uri() + "?token-file=" + file), fresh());
    }

    @Test
    void certificatesAndTheAuthorityAreReplacedUnderACandidateThatLeads() throws IOException {
        TlsFiles old = new TlsFiles(folder.path(), "old");
        TlsFiles next = new TlsFiles(folder.path(), "next");
        Certificates before = old.certificate("of-old", "IP:127.0.0.1");
        Certificates after = next.certificate("of-next", "IP:127.0.0.1");
        Certificates live =
                new Certificates(folder.resolve("node.pem"), folder.resolve("node.key"), folder.resolve("ca.pem"));
        replace(live.chain(), Files.readString(before.chain()));
        replace(live.key(), Files.readString(before.key()));
        replace(live.authorities(), Files.readString(before.authorities()));
        Path ofTheClient = folder.resolve("client-ca.pem");
        String both = Files.readString(before.authorities()) + Files.readString(after.authorities());
        replace(ofTheClient, both);
        try (NodesHere nodes = NodesHere.start(new NodesHere.Access(Tokens.none(), Optional.of(live)));
                Elections elections = elections(nodes.open(nodes.uri() + "?tls-ca=" + ofTheClient, PATIENCE));
                Candidacy candidacy = elections.election("rotation/office").campaign(RotationTest::untilInterrupted)) {
            Leadership leadership = leadership(candidacy);

            replace(live.authorities(), both);
            replace(live.chain(), Files.readString(after.chain()));
            assertThat(trusts(nodes, old)).as("half a pair is not shown").isTrue();
            replace(live.key(), Files.readString(after.key()));
            assertThat(trusts(nodes, next)).isTrue();
            assertThat(trusts(nodes, old)).isFalse();
            replace(live.authorities(), Files.readString(after.authorities()));

            // Its connections are new then, in both directions, also those of Raft.
            nodes.stop("n1");
            nodes.startAgain("n1");
            Coordinator ofN1 = nodes.open(nodes.uri("n1") + "?tls-ca=" + next.authority(), PATIENCE);
            Waiting.until("an answer of n1", () -> isServed(ofN1));
            assertThat(leadership.holds()).isTrue();
            assertThat(candidacy.leadership()).contains(leadership);
        }
    }

    private static boolean isServed(Coordinator client) {
        try {
            return Calling.created(client, fresh()) instanceof Swap.Accepted;
        } catch (CoordinatorException notYet) {
            return false;
        }
    }

    /** Does who trusts that authority alone believe the nodes? */
    private static boolean trusts(NodesHere nodes, TlsFiles authority) {
        try {
            Calling.created(nodes.open(nodes.uri() + "?tls-ca=" + authority.authority(), PATIENCE), fresh());
            return true;
        } catch (CoordinatorException e) {
            assertThat(e).hasMessageContaining("certification path");
            return false;
        }
    }

    private static Elections elections(Coordinator over) {
        return Elections.over(over)
                .name("ada")
                .timing(Timing.ofLease(Duration.ofSeconds(30)))
                .open();
    }

    private static Leadership leadership(Candidacy candidacy) {
        Waiting.until("a leader", () -> candidacy.leadership().isPresent());
        return candidacy.leadership().orElseThrow();
    }

    private Path write(String name, String text) throws IOException {
        return replace(folder.resolve(name), text);
    }

    private Path replace(Path file, String text) throws IOException {
        Path whole = Files.writeString(folder.resolve("next-" + UUID.randomUUID()), text);
        return Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private static ElectionName fresh() {
        return new ElectionName("rotation/" + UUID.randomUUID());
    }

    private static void untilInterrupted(Leadership leadership) throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
