package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.memory.FaultyWire.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What followers of an election are told, over real sockets, in real time. */
@Tag("patient")
@Timeout(120)
class FollowingTest extends WithTwoAgents {
    private final List<EventReader> readers = new ArrayList<>();

    private EventReader follow(AgentAtWork agent, String... headers) {
        EventReader reader = EventReader.of(agent.socket(), "job", headers);
        readers.add(reader);
        return reader;
    }

    @AfterEach
    void closeReaders() {
        readers.forEach(EventReader::close);
    }

    @Test
    @Tag("realtime")
    void aFailoverIsFollowedLive() {
        EventReader there = follow(agents.two);
        there.await("leader 1 -");
        LocalOwner first = agents.one.owner("job", 6000);
        long lost = first.awaitLead().at("token").number();
        EventReader here = follow(agents.one);
        here.await("leader " + 2 * lost + " host-1");
        LocalOwner second = agents.two.owner("job", 6000);
        agents.candidate("job", 1);

        agents.one.wire.suffer(Fault.SILENT);
        Duration lessThanALeaseLate = AgentAtWork.LEASE.plusSeconds(4);
        long next = second.awaitLeadWithin(lessThanALeaseLate).at("token").number();

        there.await("acquired " + next);
        there.await("leader " + 2 * next + " host-1");
        assertThat(there.told("leader"))
                .startsWith("leader 1 -", "leader " + 2 * lost + " host-1")
                .endsWith("leader " + 2 * next + " host-1")
                .doesNotHaveDuplicates();
        EventReader.Event last = there.events().stream()
                .filter(event -> event.toString().equals("leader " + 2 * next + " host-1"))
                .findFirst()
                .orElseThrow();
        assertThat(last.json().at("reason").text()).isEqualTo("lost");
        assertThat(last.json().at("previous").at("name").text()).isEqualTo("host-1");
        Await.until("the first one's end is told", () -> here.told().contains("lost " + lost));
        assertThat(here.told("acquired", "jeopardy", "safe", "lost"))
                .containsExactly("acquired " + lost, "jeopardy " + lost, "lost " + lost);
    }

    private static String reasonOf(EventReader reader, long lost) {
        return reader.events().stream()
                .filter(event -> event.toString().equals("lost " + lost))
                .map(event -> event.json().at("reason").text())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTermThatAnOperatorEndsIsLostForThatReason() {
        LocalOwner owner = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long token = owner.awaitLead().at("token").number();
        EventReader reader = follow(agents.one);
        reader.await("acquired " + token);

        CompletableFuture<?> frozen = CompletableFuture.runAsync(
                () -> agents.two.socket().post("/v1/elections/job/freeze", "{\"why\":\"x\"}"), AgentPair.ASKING);
        reader.await("lost " + token);

        assertThat(reasonOf(reader, token)).isEqualTo("frozen");
        assertThat(frozen.isDone()).as("the owner has not stopped yet").isFalse();
        owner.leave();
        frozen.join();
    }

    @Test
    void aStreamAnswersAsACommandLineExpects() {
        EventReader reader = follow(agents.one);

        reader.await("leader 1 -");

        assertThat(reader.head())
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("Content-Type: text/event-stream", "Cache-Control: no-store", "Transfer-Encoding: chunked");
    }

    @Test
    void whatAnOwnerMayBelieveIsToldInOrder() {
        EventReader reader = follow(agents.one);
        LocalOwner owner = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long first = owner.awaitLead().at("token").number();
        owner.beat("", "{\"stopped\":" + first + "}");
        long second = owner.awaitLead().at("token").number();
        owner.leave();

        reader.await("lost " + second);

        assertThat(reader.told("acquired", "lost"))
                .containsExactly("acquired " + first, "lost " + first, "acquired " + second, "lost " + second);
    }

    /** The agent leads, and nobody was told that he does. */
    @Test
    @Tag("realtime")
    void aTermWhoseOwnerWasNotToldIsNotAcquired() {
        EventReader reader = follow(agents.one);
        long stood = System.nanoTime();
        agents.one.owner("job", 4000);

        Await.until("it is led", () -> reader.told("leader").stream().anyMatch(told -> told.endsWith("host-1")));
        Await.punctually(stood, Duration.ofSeconds(4), "the owner was missed", () -> owners() == 0);
        LocalOwner other = agents.one.owner("job", 6000);
        long token = other.awaitLead().at("token").number();

        reader.await("acquired " + token);
        assertThat(reader.told("acquired", "lost")).containsExactly("acquired " + token);
    }

    private int owners() {
        return agents.one
                .socket()
                .get("/v1/elections/job")
                .json()
                .at("here")
                .at("owners")
                .items()
                .size();
    }

    @Test
    void whoComesLaterIsToldHowThingsStand() {
        LocalOwner owner = agents.one.owner("job", 6000);
        long token = owner.awaitLead().at("token").number();

        EventReader here = follow(agents.one);
        EventReader there = follow(agents.two);
        here.await("leader " + 2 * token + " host-1");
        there.await("leader " + 2 * token + " host-1");
        EventReader again = follow(agents.one);
        again.await("leader " + 2 * token + " host-1");

        assertThat(here.told()).containsExactlyInAnyOrder("acquired " + token, "leader " + 2 * token + " host-1");
        assertThat(again.told()).containsExactly("acquired " + token, "leader " + 2 * token + " host-1");
        assertThat(there.told()).containsExactly("leader " + 2 * token + " host-1");
    }

    @Test
    void whoResumesIsToldWhatCameSinceAndNothingTwice() {
        LocalOwner owner = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long first = owner.awaitLead().at("token").number();
        EventReader early = follow(agents.two);
        early.await("leader " + 2 * first + " host-1");
        early.close();
        List<Long> tokens = new ArrayList<>(List.of(first));
        for (int term = 0; term < 3; term++) {
            owner.beat("", "{\"stopped\":" + tokens.get(term) + "}");
            tokens.add(owner.awaitLead().at("token").number());
        }

        for (AgentAtWork agent : List.of(agents.one, agents.two)) {
            EventReader late = follow(agent, "Last-Event-ID: " + early.lastId());
            late.await("leader " + 2 * tokens.get(3) + " host-1");
            assertThat(late.told("leader"))
                    .containsExactly(
                            "leader " + 2 * tokens.get(1) + " host-1",
                            "leader " + 2 * tokens.get(2) + " host-1",
                            "leader " + 2 * tokens.get(3) + " host-1");
        }
        EventReader upToDate = follow(agents.two, "Last-Event-ID: " + 2 * tokens.get(3));
        owner.leave();
        upToDate.await("leader " + (2 * tokens.get(3) + 1) + " -");
        assertThat(upToDate.told()).containsExactly("leader " + (2 * tokens.get(3) + 1) + " -");
    }

    @Test
    void anIdOfAnotherStoreHidesNothing() {
        long token = agents.one.owner("job", 6000).awaitLead().at("token").number();

        EventReader reader = follow(agents.two, "Last-Event-ID: 1000000");

        reader.await("leader " + 2 * token + " host-1");
        assertThat(reader.told()).hasSize(1);
    }

    /** A thaw raises the term, and so the index, while nobody leads. */
    @Test
    @Tag("realtime")
    void aThawIsNoChangeOfLeader() {
        LocalOwner owner = agents.one.owner("job", 6000);
        long token = owner.awaitLead().at("token").number();
        EventReader reader = follow(agents.two);
        reader.await("leader " + 2 * token + " host-1");
        owner.leave();
        reader.await("leader " + (2 * token + 1) + " -");
        agents.two.socket().post("/v1/elections/job/freeze", "{\"why\":\"x\"}");
        assertThat(agents.two.socket().post("/v1/elections/job/thaw", "").status())
                .isEqualTo(200);
        long index =
                agents.two.socket().get("/v1/elections/job").json().at("index").number();
        assertThat(index).isGreaterThan(2 * token + 1);

        EventReader resumed = follow(agents.one, "Last-Event-ID: " + (2 * token + 1));
        long asked = System.nanoTime();
        agents.two.socket().get("/v1/elections/job?wait=700ms&index=" + index);

        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked)).isGreaterThanOrEqualTo(700);
        long next = agents.one.owner("job", 6000).awaitLead().at("token").number();
        for (EventReader one : List.of(reader, resumed)) {
            one.await("leader " + 2 * next + " host-1");
        }
        assertThat(resumed.told("leader")).containsExactly("leader " + 2 * next + " host-1");
        assertThat(reader.told("leader"))
                .containsExactly(
                        "leader " + 2 * token + " host-1",
                        "leader " + (2 * token + 1) + " -",
                        "leader " + 2 * next + " host-1");
    }

    /** The lease is so long that it outlasts a busy machine. */
    @Test
    @Tag("realtime")
    void jeopardyIsToldAndThatItIsOver() throws IOException {
        Path slow = Files.createDirectory(folder.resolve("slow"));
        try (AgentAtWork agent = new AgentAtWork(slow, Duration.ofSeconds(24))) {
            WatchedOwner owner = new WatchedOwner(agent.owner("job", 20_000));
            EventReader reader = follow(agent);
            Await.until("it is led", () -> !reader.told("acquired").isEmpty());
            String token = reader.told("acquired").get(0).substring("acquired ".length());

            agent.wire.suffer(Fault.SILENT);
            reader.await("jeopardy " + token);
            EventReader late = follow(agent);
            late.await("jeopardy " + token);
            agent.wire.heal();
            reader.await("safe " + token);
            late.await("safe " + token);

            for (EventReader one : List.of(reader, late)) {
                assertThat(one.told("acquired", "jeopardy", "safe", "lost"))
                        .containsExactly("acquired " + token, "jeopardy " + token, "safe " + token);
            }
            assertThat(owner.troubles()).isEmpty();
            owner.close();
        }
    }

    @Test
    void aDrainTellsWhatEndsAndEndsStreams() throws Exception {
        LocalOwner owner = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long token = owner.awaitLead().at("token").number();
        EventReader reader = follow(agents.one);
        reader.await("leader " + 2 * token + " host-1");

        CompletableFuture<Void> closing = CompletableFuture.runAsync(agents.one.agent::close, AgentPair.ASKING);

        Await.until("the stream ends", reader::isEnded);
        assertThat(reader.isWhole()).as("it ends cleanly").isTrue();
        assertThat(reader.told("acquired", "lost")).containsExactly("acquired " + token, "lost " + token);
        assertThat(closing.isDone()).as("the owner has not stopped yet").isFalse();
        PlainHttp streams = agents.one.socket().with("Accept: text/event-stream");
        assertThat(streams.get("/v1/elections/job").sentence()).isEqualTo("the agent ends");
        assertThat(streams.get("/v1/elections/job").status()).isEqualTo(503);
        owner.leave();
        closing.get(20, TimeUnit.SECONDS);
    }
}
