package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Answering;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.servers.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node that speaks a node's HTTP, and answers as its test says. */
final class ScriptedNode implements AutoCloseable {
    static final String QUORUM = "5b3c1b6e-0000-4000-8000-000000000001";

    private final Member member;
    private final Endpoint endpoint;
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    private ScriptedNode(String name, List<String> known, Answering answering) {
        int port = FreePorts.one();
        this.member = new Member(name, "127.0.0.1", port, port == 1 ? 2 : port - 1);
        try {
            this.endpoint = Endpoint.listen(member, Tokens.none(), Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        endpoint.takePart(
                QUORUM,
                Optional::empty,
                () -> Members.UNKNOWN,
                known.stream().map(path -> route(path, answering)).toList());
    }

    private ScriptedNode(String name, String path, Answering answering) {
        this(name, List.of(path, Forwarder.PASSED_ON), answering);
    }

    /** Of a build that knows no path for what is passed on: answers every body of calls with these lines. */
    static ScriptedNode older(String name, String... lines) {
        return new ScriptedNode(name, List.of(Words.CALLS), question -> Answer.now(200, Line.body(List.of(lines))));
    }

    private Route route(String path, Answering answering) {
        return new Route(path, Right.READ, Route.LONGEST, Kind.HELD, question -> {
            paths.add(path);
            asked.add(question);
            return answering.to(question);
        });
    }

    /** Answers every body of calls with these lines. */
    static ScriptedNode answering(String name, String... lines) {
        return new ScriptedNode(name, Words.CALLS, question -> Answer.now(200, Line.body(List.of(lines))));
    }

    /** Tells whoever asks for the members that text. */
    static ScriptedNode listing(String name, String members) {
        return new ScriptedNode(name, Membership.PATH, question -> Answer.now(200, members));
    }

    /** Is asked for the members. */
    static ScriptedNode listed(Answering answering) {
        return new ScriptedNode("n1", Membership.PATH, answering);
    }

    /** Answers every body of calls with that status. */
    static ScriptedNode refusing(String name, int status) {
        return new ScriptedNode(name, Words.CALLS, question -> Answer.now(status, "as the test says\n"));
    }

    /** Takes calls and never answers. */
    static ScriptedNode silent(String name) {
        return new ScriptedNode(name, Words.CALLS, question -> new CompletableFuture<>());
    }

    /** Answers watches. */
    static ScriptedNode watched(String name, Answering answering) {
        return new ScriptedNode(name, Words.WATCH, answering);
    }

    Member member() {
        return member;
    }

    String hostPort() {
        return member.host() + ":" + member.port();
    }

    /** Where it was asked. */
    List<String> paths() {
        return paths;
    }

    /** All that it was asked. */
    List<Asked> asked() {
        return asked;
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
