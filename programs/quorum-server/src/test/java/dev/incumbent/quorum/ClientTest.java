package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the client makes of each answer of a node: whether it asks another one, and what it says became of the call. */
@Tag("patient")
final class ClientTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing");

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(timeline));

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void whatANodeCannotTellMayHaveAppliedAndIsNotAskedOfAnother() {
        ScriptedNode first = scripted(ScriptedNode.answering("n1", "UNCERTAIN\tno majority"));
        ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

        CoordinatorException failure = failure(client(first, second));

        assertThat(failure.mayHaveApplied()).isTrue();
        assertThat(failure).hasMessageContaining("could not tell the outcome: no majority");
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void anAnswerOfAnotherLengthMayHaveAppliedAndIsNotAskedOfAnother() {
        ScriptedNode first = scripted(ScriptedNode.answering("n1", "DONE", "DONE"));
        ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

        assertThat(failure(client(first, second)).mayHaveApplied()).isTrue();
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void anAnswerThatIsNotUnderstoodMayHaveApplied() {
        CoordinatorException failure =
                failureOfAGrant(client(scripted(ScriptedNode.answering("n1", "GRANTED\tL1\tlong"))));

        assertThat(failure.mayHaveApplied()).isTrue();
    }

    @Test
    void whatANodeDoesNotTakeSurelyDidNothing() {
        ScriptedNode first = scripted(ScriptedNode.answering("n1", "BAD\ttoo long"));
        ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

        CoordinatorException failure = failure(client(first, second));

        assertThat(failure.mayHaveApplied()).isFalse();
        assertThat(failure).hasMessageContaining("does not take this call: too long");
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void whatSurelyDidNothingIsAskedOfTheNextNode() {
        for (ScriptedNode first : List.of(
                scripted(ScriptedNode.answering("n1", "LATER\tno majority")),
                scripted(ScriptedNode.answering("n1", "ELSEWHERE\t\tdoes not lead")),
                scripted(ScriptedNode.refusing("n1", 503)),
                scripted(ScriptedNode.refusing("n1", 408)))) {
            ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

            client(first, second)
                    .withdraw(BILLING, new CandidateId("ada"))
                    .toCompletableFuture()
                    .join();

            assertThat(first.asked()).hasSize(1);
            assertThat(second.asked()).hasSize(1);
        }
    }

    @Test
    void whatWasSentAndNotAnsweredIsAskedOfAnotherOnlyIfItReads() throws IOException {
        try (ServerSocket hasty = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            hangUpOnEverybody(hasty);
            ScriptedNode second = scripted(ScriptedNode.answering("n2", "ELECTIONS\tbilling"));
            String first = "127.0.0.1:" + hasty.getLocalPort();

            CoordinatorException failure = failure(client(REQUEST_TIMEOUT, first, second.hostPort()));
            assertThat(failure.mayHaveApplied()).isTrue();
            assertThat(failure).hasMessageContaining("no answer from");
            assertThat(second.asked()).isEmpty();

            Coordinator reader = client(REQUEST_TIMEOUT, first, second.hostPort());
            assertThat(Calling.joined(reader.elections(""))).containsExactly(BILLING);
        }
    }

    /** As {@code doctor} asks. The URI names whom to ask, and not who votes. */
    @Test
    void howManyMembersVoteIsWhatTheNodeThatLeadsTells() {
        String three = "{\"leads\":true,\"members\":[{\"name\":\"n1\"},{\"name\":\"n2\"},{\"name\":\"n3\"}]}";
        Coordinator client = client(scripted(ScriptedNode.listing("n1", three)));
        Coordinator ofAnEarlierBuild = client(scripted(ScriptedNode.answering("n1", "DONE")));

        assertThat(Calling.joined(client.memberCount())).hasValue(3);
        assertThat(catchThrowableOfType(
                        CoordinatorException.class, () -> Calling.joined(ofAnEarlierBuild.memberCount())))
                .hasMessageContaining("it does not know " + Membership.PATH);
    }

    @Test
    void aNodeThatDoesNotLeadIsBelievedOnlyWhereNoneDoes() {
        ScriptedNode follows = scripted(ScriptedNode.listing("n1", voting("n1").replace("true", "false")));
        ScriptedNode leads = scripted(ScriptedNode.listing("n2", voting("n1", "n2", "n3")));

        assertThat(Calling.joined(client(follows, leads).memberCount())).hasValue(3);
        assertThat(Calling.joined(
                        client(Duration.ofSeconds(8), follows.hostPort()).memberCount()))
                .hasValue(1);
    }

    /** One thread at most asks: those who come meanwhile share the next question, which is sent after they have asked. */
    @Test
    void whoAsksWhileAQuestionIsUnderWaySharesTheNextOne() {
        BlockingQueue<CompletableFuture<Answer>> replies = new LinkedBlockingQueue<>();
        ScriptedNode node = scripted(ScriptedNode.listed(question -> {
            CompletableFuture<Answer> reply = new CompletableFuture<>();
            replies.add(reply);
            return reply;
        }));
        Coordinator client = client(node);

        CompletableFuture<OptionalInt> first = client.memberCount().toCompletableFuture();
        Waiting.until("the first is asked", () -> replies.size() == 1);
        List<CompletableFuture<OptionalInt>> others = Stream.generate(
                        () -> client.memberCount().toCompletableFuture())
                .limit(20)
                .toList();
        replies.remove().complete(new Answer(200, voting("n1")));
        assertThat(Calling.joined(first)).hasValue(1);
        assertThat(others).noneMatch(CompletableFuture::isDone);
        Waiting.until("the others are asked", () -> replies.size() == 1);
        replies.remove().complete(new Answer(200, voting("n1", "n2", "n3")));

        others.forEach(one -> assertThat(Calling.joined(one)).hasValue(3));
        assertThat(node.asked()).hasSize(2);
        CompletableFuture<OptionalInt> later = client.memberCount().toCompletableFuture();
        Waiting.until("a later one is asked", () -> replies.size() == 1);
        replies.remove().complete(new Answer(200, voting("n1", "n2")));
        assertThat(Calling.joined(later)).hasValue(2);
    }

    @Test
    void ofTooManyCallersTheLastAreRefused() {
        Coordinator client = client(scripted(ScriptedNode.listed(question -> new CompletableFuture<>())));

        List<CompletableFuture<OptionalInt>> all = Stream.generate(
                        () -> client.memberCount().toCompletableFuture())
                .limit(513)
                .toList();

        assertThat(all.subList(0, 512)).noneMatch(CompletableFuture::isDone);
        assertThat(catchThrowableOfType(CoordinatorException.class, () -> Calling.joined(all.get(512))))
                .hasMessageEndingWith("is asked for its members by 512 callers already");
    }

    private static String voting(String... names) {
        return "{\"leads\":true,\"members\":["
                + Arrays.stream(names)
                        .map(name -> "{\"name\":\"" + name + "\"}")
                        .collect(Collectors.joining(","))
                + "]}";
    }

    @Test
    void howManyMembersVoteIsNotWaitedForAfterAClose() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Coordinator client = client(Duration.ofHours(1), "127.0.0.1:" + silent.getLocalPort());
            CompletableFuture<OptionalInt> underWay = client.memberCount().toCompletableFuture();
            try (Socket caller = silent.accept()) {
                assertThat(caller.getInputStream().read()).isEqualTo('P');

                client.close();

                assertThat(catchThrowableOfType(CoordinatorException.class, () -> Calling.joined(underWay)))
                        .hasMessageEndingWith("was closed meanwhile");
            }
            assertThat(catchThrowableOfType(CoordinatorException.class, () -> Calling.joined(client.memberCount())))
                    .hasMessageEndingWith("was closed");
        }
    }

    /** Reads the beginning of what each says, and ends the connection. */
    private static void hangUpOnEverybody(ServerSocket node) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    try (Socket caller = node.accept()) {
                        int unused = caller.getInputStream().read();
                    }
                }
            } catch (IOException closed) {
                // It ends with its test.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void aCloseEndsWhatIsUnderWayAndItsThreadAtOnce() throws IOException, InterruptedException {
        timeline.at(timeline.nanos(), () -> {}); // so that its thread is of no client
        ThreadGroup group = new ThreadGroup("clients");
        CompletableFuture<CoordinatorException> failure = new CompletableFuture<>();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Coordinator client = client(Duration.ofHours(1), "127.0.0.1:" + silent.getLocalPort());
            Thread user = new Thread(group, () -> failure.complete(failure(client)));
            user.start();
            try (Socket caller = silent.accept()) {
                assertThat(caller.getInputStream().read()).isEqualTo('P');
                client.close();
                user.join();

                assertThat(failure.join()).hasMessageEndingWith("was closed meanwhile");
                assertThat(failure.join().mayHaveApplied()).isTrue();
                Waiting.until("the end of its thread", () -> group.activeCount() == 0);
            }
        }
    }

    /** A write to a socket has no timeout of its own. */
    @Test
    void aNodeThatTakesNoBytesHoldsNobodyUpForLongerThanItsCall() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ScriptedNode second = scripted(ScriptedNode.answering("n2", "ELECTIONS\tbilling"));
            Coordinator client = client(Duration.ofSeconds(2), "127.0.0.1:" + deaf.getLocalPort(), second.hostPort());

            CoordinatorException late = catchThrowableOfType(
                    CoordinatorException.class, () -> Calling.joined(client.elections("x".repeat(32 << 20))));

            assertThat(late).hasMessageEndingWith("did not answer in time");
            Waiting.until("an answer of the next node", () -> isToldOfBilling(client));
        }
    }

    private static boolean isToldOfBilling(Coordinator client) {
        try {
            return Calling.joined(client.elections("")).equals(List.of(BILLING));
        } catch (CoordinatorException late) {
            return false;
        }
    }

    private ScriptedNode scripted(ScriptedNode node) {
        opened.add(node);
        return node;
    }

    private Coordinator client(ScriptedNode... nodes) {
        return client(
                REQUEST_TIMEOUT,
                Arrays.stream(nodes).map(ScriptedNode::hostPort).toArray(String[]::new));
    }

    private Coordinator client(Duration requestTimeout, String... nodes) {
        String uri = "quorum://" + String.join(",", nodes);
        Coordinator client = new QuorumCoordinatorProvider().open(uri, timeline, requestTimeout, Mode.CREATE);
        opened.add(client);
        return client;
    }

    private static CoordinatorException failure(Coordinator client) {
        return catchThrowableOfType(
                CoordinatorException.class, () -> Calling.joined(client.withdraw(BILLING, new CandidateId("ada"))));
    }

    private static CoordinatorException failureOfAGrant(Coordinator client) {
        return catchThrowableOfType(
                CoordinatorException.class,
                () -> Calling.joined(client.grant(new CandidateId("ada"), Duration.ofSeconds(5))));
    }
}
