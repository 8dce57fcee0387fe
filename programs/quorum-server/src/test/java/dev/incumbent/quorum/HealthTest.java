package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Whoever watches over a node learns without a token whether it lives and is ready, in one word, and nothing else. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class HealthTest {
    private static final String SECRET = "open-sesame-0816";

    @Test
    void aNodeIsReadyWhileThereIsAMajorityThatItKeepsUpWith() {
        try (NodesHere nodes = NodesHere.start(NodesHere.Access.guarded(SECRET))) {
            for (Member member : nodes.members()) {
                awaits(member, Health.READY, 200, "ready\n");
                awaits(member, Health.LIVE, 200, "live\n");
            }

            nodes.stop("n2");
            nodes.stop("n3");

            Member alone = nodes.member("n1");
            awaits(alone, Health.READY, 503, "unready\n");
            awaits(alone, Health.LIVE, 200, "live\n");
            nodes.startAgain("n2");
            awaits(alone, Health.READY, 200, "ready\n");
            awaits(nodes.member("n2"), Health.READY, 200, "ready\n");
        }
    }

    @Test
    void aNodeThatWaitsForTheOthersLivesAndIsNotReady() throws InterruptedException {
        List<Member> members = NodesHere.members("n1", "n2", "n3");
        try (TemporaryFolder folder = TemporaryFolder.create("health")) {
            CompletableFuture<Void> waits = new CompletableFuture<>();
            Thread starting = new Thread(() -> start(members, folder, waits), "start");
            starting.start();
            waits.join();

            awaits(members.get(0), Health.LIVE, 200, "live\n");
            awaits(members.get(0), Health.READY, 503, "unready\n");
            awaits(members.get(0), "/health/other", 404, "unknown\n");

            starting.interrupt();
            starting.join();
        }
    }

    private static void start(List<Member> members, TemporaryFolder folder, CompletableFuture<Void> waits) {
        try {
            QuorumNode.start(
                            NodesHere.settings(members, "n1", NodesHere.Access.guarded(SECRET), folder.resolve("n1")),
                            said -> waits.complete(null))
                    .close();
        } catch (IOException e) {
            waits.completeExceptionally(e);
        } catch (InterruptedException asTheTestSays) {
            // It was closed.
        }
    }

    /** It counts from the question: the answer may be as old as that. */
    @Test
    void aNodeIsReadyForThreeSecondsAfterTheLastQuestionThatWasAnsweredWithAPosition() {
        VirtualTimeline timeline = new VirtualTimeline();
        Deque<CompletableFuture<String>> asked = new ArrayDeque<>();
        AtomicBoolean isLed = new AtomicBoolean(true);
        Health health = new Health(timeline, () -> false);
        assertThat(health.isReady()).as("before it takes part").isFalse();

        health.follow(part(asked, isLed));
        assertThat(health.isReady()).as("before an answer").isFalse();
        timeline.advance(Duration.ofMillis(900));
        asked.removeFirst().complete(Line.of(Words.AT, "7@e1"));
        assertThat(health.isReady()).isTrue();
        timeline.advance(Duration.ofMillis(500));
        asked.removeFirst().complete(Line.of(Words.LATER, "no majority answers"));
        timeline.advance(Health.RECENT.minusMillis(1_401));
        assertThat(health.isReady()).isTrue();
        isLed.set(false);
        assertThat(health.isReady()).as("without a leader").isFalse();
        isLed.set(true);

        timeline.advance(Duration.ofMillis(1));

        assertThat(health.isReady()).isFalse();
        assertThat(health.isLive()).isTrue();
        assertThat(asked).as("it goes on asking").hasSize(1);
    }

    private static Health.Part part(Deque<CompletableFuture<String>> asked, AtomicBoolean isLed) {
        return new Health.Part() {
            @Override
            public boolean lives() {
                return true;
            }

            @Override
            public boolean knowsALeader() {
                return isLed.get();
            }

            @Override
            public CompletableFuture<String> ask() {
                asked.add(new CompletableFuture<>());
                return asked.getLast();
            }
        };
    }

    @Test
    void aNodeWhoseMachineIsHaltedIsDead() {
        AtomicBoolean isHalted = new AtomicBoolean();
        try (SystemTimeline timeline = new SystemTimeline()) {
            Health health = new Health(timeline, isHalted::get);
            assertThat(health.isLive()).isTrue();

            isHalted.set(true);

            assertThat(health.isLive()).isFalse();
            assertThat(health.isReady()).isFalse();
        }
    }

    /** Each answer is the word alone, and tells nothing of the quorum. */
    private static void awaits(Member member, String path, int status, String word) {
        Waiting.until(member.name() + " is " + word.strip(), () -> {
            HttpResponse<String> answer = Calling.post(member.port(), path, "", Optional.empty());
            assertThat(answer.headers().map().keySet()).noneMatch(name -> name.startsWith("incumbent"));
            return answer.statusCode() == status && answer.body().equals(word);
        });
    }
}
