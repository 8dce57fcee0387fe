package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The nodes' leadership is moved by command while clients write and lead. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class TransferTest {
    private static final int TRANSFERS = 6;
    private static final int WRITERS = 4;

    @Test
    void noAnswerIsLostOrMisreadAndTermsGoOn() throws InterruptedException {
        try (NodesHere nodes = NodesHere.start(NodesHere.Access.OPEN);
                Elections elections = Elections.over(nodes.open(nodes.uri()))
                        .name("ada")
                        .timing(Timing.ofLease(Duration.ofSeconds(16)))
                        .open();
                Candidacy candidacy = elections.election("transfer/office").campaign(TransferTest::untilInterrupted)) {
            Waiting.until("a leader", () -> candidacy.leadership().isPresent());
            Leadership leadership = candidacy.leadership().orElseThrow();
            List<Writer> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(new Writer(nodes.open(nodes.uri())));
            }

            for (int i = 0; i < TRANSFERS; i++) {
                move(nodes, i);
                writers.forEach(Writer::awaitProgress);
            }

            for (Writer writer : writers) {
                assertThat(writer.end()).isEmpty();
            }
            assertThat(leadership.holds()).isTrue();
            assertThat(candidacy.leadership()).contains(leadership);
        }
    }

    /** To the next member in turn that does not lead; asked again, as a person would, where it did not come about. */
    private static void move(NodesHere nodes, int turn) {
        Member to = nodes.members().stream()
                .filter(member -> !leads(member))
                .toList()
                .get(turn % 2);
        Waiting.until("the leadership of " + to.name(), () -> {
            nodes.members().stream()
                    .filter(TransferTest::leads)
                    .filter(member -> !member.equals(to))
                    .forEach(member -> Calling.post(member.port(), "/v1/transfer/" + to.name(), "", Optional.empty()));
            return leads(to);
        });
    }

    private static boolean leads(Member member) {
        return Calling.post(member.port(), "/v1/status", "", Optional.empty())
                .body()
                .contains("\"leads\":true");
    }

    private static void untilInterrupted(Leadership leadership) throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
