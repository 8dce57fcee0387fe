package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.quorum.QuorumServers;
import dev.incumbent.coordinator.quorum.QuorumServers.Changed;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.model.CandidateId;
import dev.incumbent.quorum.NodesHere.Access;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Other members for a quorum that runs. */
@Tag("trial")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class MembershipTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final SystemTimeline timeline = new SystemTimeline();
    private final NodesHere nodes = NodesHere.start(Access.OPEN);
    private final List<Member> three = nodes.members();
    private final List<Member> more = NodesHere.members("n4", "n5");
    private final QuorumServers servers = QuorumServers.of(nodes.uri(), timeline);

    @AfterEach
    void close() {
        nodes.close();
        timeline.close();
    }

    @Test
    @Tag("realtime")
    void threeBecomeFiveOfWhichTwoMayDieAndClientsLearnOfThem() {
        Coordinator client = nodes.open(nodes.uri("n1"));
        Waiting.until("a grant", () -> granted(client));
        Waiting.until("three members", () -> isTold(client, 3));

        grow();

        assertThat(names()).containsExactly("n1", "n2", "n3", "n4", "n5");
        Waiting.until("five members", () -> isTold(client, 5));
        Waiting.until("a grant, by which it is told of the others", () -> granted(client));
        nodes.stop("n1");
        nodes.stop("n2");
        Waiting.until("a grant by way of others", () -> granted(client));
    }

    @Test
    @Tag("realtime")
    void whatIsStartedWithAnOlderListKnowsTheLaterOne() {
        grow();
        nodes.stop("n3");
        nodes.stop("n1");
        nodes.start("n3", list(three, NodesHere.members("n8", "n9"))); // two of whom the quorum knows nothing
        Waiting.until("all entries at n3", () -> isReady(nodes.member("n3")));
        nodes.stop("n2");

        Waiting.until("a grant", () -> granted(nodes.open(nodes.uri("n3"))));
        assertThat(names()).containsExactly("n1", "n2", "n3", "n4", "n5");
    }

    @Test
    void nothingChangesWhileOneThatStaysIsSilent() {
        awaitLevel();
        nodes.stop("n3");
        List<Member> five = list(three, more);
        List<CompletableFuture<Void>> joining = joining(five);
        Waiting.until("its silence", () -> !answers("n3"));
        assertThat(refused(five))
                .isEqualTo("503 members [n3] do not answer the one that leads: start them, or leave them out\n");

        nodes.startAgain("n3");
        assertThat(change(five)).isInstanceOf(Changed.Done.class);
        joining.forEach(one -> assertThat(one).succeedsWithin(SOON));
    }

    @Test
    void fiveBecomeThreeWithoutTheOneThatLedAndWhoIsLeftOutEnds() {
        grow();
        String leader = leader();
        List<Member> left = list(three, more).stream()
                .filter(one -> !one.name().equals(leader))
                .limit(3)
                .toList();
        List<CompletableFuture<String>> ends = list(three, more).stream()
                .filter(one -> !left.contains(one))
                .map(one -> nodes.end(one.name()))
                .toList();

        assertThat(change(left)).isInstanceOf(Changed.Done.class);

        ends.forEach(end -> assertThat(end)
                .succeedsWithin(SOON)
                .asString()
                .contains("it is none of the quorum's members any more, which are " + left));
        nodes.stop(leader);
        assertThatThrownBy(() -> nodes.start(leader, list(three, more)))
                .isInstanceOf(NodeRefusal.class)
                .hasMessage(
                        "node " + leader + " does not start: it is none of the quorum's members any more, which are "
                                + left + "; to be taken in again it needs --join and an empty folder");
        assertThatThrownBy(() -> nodes.join(leader, list(three, more)).join())
                .hasRootCauseInstanceOf(NodeRefusal.class)
                .hasStackTraceContaining("it is none of the quorum's members any more");
    }

    @Test
    @Tag("realtime")
    void aMemberMovesToAnotherAddressWithAnEmptyDisk() {
        String moved = three.stream()
                .map(Member::name)
                .filter(name -> !name.equals(leader()))
                .findFirst()
                .orElseThrow();
        Member there =
                new Member(moved, "127.0.0.1", more.get(0).port(), more.get(0).raftPort());
        List<Member> next =
                list(three.stream().filter(one -> !one.name().equals(moved)).toList(), List.of(there));
        CompletableFuture<String> end = nodes.end(moved);
        NodesHere elsewhere = nodes.elsewhere();
        try {
            CompletableFuture<Void> joining = elsewhere.join(moved, next);

            assertThat(change(next)).isInstanceOf(Changed.Done.class);

            assertThat(joining).succeedsWithin(SOON);
            assertThat(end).succeedsWithin(SOON).asString().contains("none of the quorum's members");
            nodes.stop(moved);
            assertThatThrownBy(() -> nodes.startAgain(moved))
                    .isInstanceOf(NodeRefusal.class)
                    .hasMessage("node " + moved + " does not start: it is to listen as " + nodes.member(moved)
                            + ", and the quorum knows it as " + there
                            + "; 'incumbent server change' gives a member another address");
            String other = next.stream()
                    .map(Member::name)
                    .filter(name -> !name.equals(moved))
                    .findFirst()
                    .orElseThrow();
            nodes.stop(other);
            Waiting.until("a grant with the moved one", () -> granted(nodes.open("quorum://" + there.address())));
        } finally {
            elsewhere.close();
        }
    }

    @Test
    void whatCannotBeIsRefusedInASentence() {
        Member n4 = more.get(0);
        Member n5 = more.get(1);
        awaitLevel();

        assertThat(refusal(list(three, List.of(n4))))
                .isEqualTo("a quorum has three members or five, and the list names 4");
        assertThat(refusal(list(three, List.of(three.get(0), n4)))).isEqualTo("the list of members names n1 twice");
        assertThat(refusal(list(three, List.of(n4, new Member("n5", n4.host(), n4.port(), n5.raftPort())))))
                .isEqualTo("the list of members names " + n4.address() + " twice");
        assertThat(refusal(list(List.of(three.get(0)), more)))
                .isEqualTo(
                        "the change would bring 2 new disks into a quorum of 3, which must be fewer than those that stay"
                                + " (1); change it in several steps");
        assertThat(refusal(list(three, more)))
                .isEqualTo("member n4 at " + n4.address()
                        + " does not answer as a node: start it there with --join, an empty folder and the new list of"
                        + " members");
        Member wrong =
                new Member("n4", "127.0.0.1", three.get(2).port(), three.get(2).raftPort());
        assertThat(refusal(list(three.subList(0, 2), List.of(wrong))))
                .isEqualTo("at " + wrong.address() + " listens node n3, not n4");
        assertThat(names()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void aNodeThatWaitsToBeTakenInIsKnownToNobodyAndMayBeStartedAgain() {
        List<Member> five = list(three, more);
        CompletableFuture<Void> first = nodes.join("n4", five);
        Waiting.until("its port", () -> answers(more.get(0)));
        for (Member one : three) {
            assertThat(members(one)).doesNotContain("n4");
        }
        assertThat(first).isNotDone();
        nodes.stopJoining("n4");
        assertThatThrownBy(() -> nodes.start("n4", five))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("it was never taken in as a member; start it with --join");

        CompletableFuture<Void> again = nodes.join("n4", five);
        CompletableFuture<Void> other = nodes.join("n5", five);
        assertThat(change(five)).isInstanceOf(Changed.Done.class);
        assertThat(again).succeedsWithin(SOON);
        assertThat(other).succeedsWithin(SOON);
        nodes.stop("n4");
        assertThat(nodes.join("n4", five)).as("started as a member that it is").succeedsWithin(SOON);
    }

    private List<CompletableFuture<Void>> joining(List<Member> five) {
        return more.stream().map(one -> nodes.join(one.name(), five)).toList();
    }

    private void grow() {
        List<Member> five = list(three, more);
        List<CompletableFuture<Void>> joining = joining(five);
        assertThat(change(five)).isInstanceOf(Changed.Done.class);
        joining.forEach(one -> assertThat(one).succeedsWithin(SOON));
    }

    /** Asked again while the new nodes are starting, or the level is rising. */
    private Changed change(List<Member> wanted) {
        List<String> texts = wanted.stream().map(Member::toString).toList();
        Waiting.until("the new nodes, and the level", () -> !isEarly(servers.change(texts, SOON)));
        return servers.change(texts, SOON);
    }

    private static boolean isEarly(Changed changed) {
        return changed instanceof Changed.Refused refused
                && Stream.of("does not answer", "level 0").anyMatch(refused.why()::contains);
    }

    private void awaitLevel() {
        Waiting.until("level 1", () -> !refusal(list(three, more)).contains("level 0"));
    }

    private String refusal(List<Member> wanted) {
        return ((Changed.Refused)
                        servers.change(wanted.stream().map(Member::toString).toList(), SOON))
                .why();
    }

    /** By one request to the node that leads: why it does not change the members now. */
    private String refused(List<Member> wanted) {
        String body = Line.body(wanted.stream().map(Member::toString).toList());
        HttpResponse<String> reply =
                Calling.post(nodes.member(leader()).port(), Membership.PATH, body, Optional.empty());
        return reply.statusCode() + " " + reply.body();
    }

    private boolean answers(String name) {
        return servers.members(SOON).at("members").items().stream()
                .filter(one -> one.at("name").text().equals(name))
                .allMatch(one -> one.at("answers").flag());
    }

    private static boolean isReady(Member one) {
        return Calling.post(one.port(), Health.READY, "", Optional.empty()).statusCode() == 200;
    }

    private List<String> names() {
        return servers.members(SOON).at("members").items().stream()
                .map(one -> one.at("name").text())
                .toList();
    }

    private String leader() {
        return servers.members(SOON).at("members").items().stream()
                .filter(one -> one.at("leads").flag())
                .map(one -> one.at("name").text())
                .findFirst()
                .orElseThrow();
    }

    private static String members(Member one) {
        return Calling.post(one.port(), Membership.PATH, "", Optional.empty()).body();
    }

    private static boolean answers(Member one) {
        try {
            return members(one).startsWith("{");
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private static void grant(Coordinator client) {
        client.grant(new CandidateId("ada"), SOON).toCompletableFuture().join();
    }

    private static boolean isTold(Coordinator client, int members) {
        try {
            return Calling.joined(client.memberCount()).equals(OptionalInt.of(members));
        } catch (CoordinatorException notYet) {
            return false;
        }
    }

    private static boolean granted(Coordinator client) {
        try {
            grant(client);
            return true;
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private static List<Member> list(List<Member> some, List<Member> more) {
        return new ArrayList<>(Stream.concat(some.stream(), more.stream()).toList());
    }
}
