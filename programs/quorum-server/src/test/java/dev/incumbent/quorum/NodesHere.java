package dev.incumbent.quorum;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Three nodes in this JVM, for what needs no process of its own: they speak to each other and to clients as those do. */
final class NodesHere implements AutoCloseable {
    /** The lock of the tests with nodes in this JVM: several quorums of them at once would crowd each other. */
    static final String ONE_AT_A_TIME = "nodes in this JVM";

    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(4);

    private final TemporaryFolder folder = TemporaryFolder.create("nodes");
    private final SystemTimeline timeline = new SystemTimeline();
    private final List<Coordinator> clients = new CopyOnWriteArrayList<>();
    private final Map<String, QuorumNode> running = new ConcurrentHashMap<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Map<String, Thread> joining = new ConcurrentHashMap<>();
    private final Access access;
    private final List<Member> members;

    /** What nodes ask for and show. */
    record Access(Tokens tokens, Optional<Certificates> tls) {
        static final Access OPEN = new Access(Tokens.none(), Optional.empty());

        /** Asks for one token, which may do everything. */
        static Access guarded(String token) {
            return new Access(oneForAll(token), Optional.empty());
        }

        static Tokens oneForAll(String token) {
            return Tokens.of(List.of(new Tokens.Held(EnumSet.allOf(Role.class), () -> List.of(token))));
        }
    }

    private NodesHere(Access access, List<Member> members) {
        this.access = access;
        this.members = members;
    }

    /** Members of those names, on ports of their own. */
    static List<Member> members(String... names) {
        List<Integer> ports = FreePorts.some(2 * names.length);
        List<Member> all = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            all.add(new Member(names[i], "127.0.0.1", ports.get(2 * i), ports.get(2 * i + 1)));
        }
        return all;
    }

    /** Starts all three at once, as a quorum's first start wants it. */
    static NodesHere start(Access access) {
        return start(access, here -> {});
    }

    /** The same, once their folders were prepared. */
    static NodesHere start(Access access, Consumer<NodesHere> first) {
        NodesHere here = new NodesHere(access, members("n1", "n2", "n3"));
        first.accept(here);
        List<CompletableFuture<Void>> starting = here.members.stream()
                .map(member -> CompletableFuture.runAsync(
                        () -> here.start(member.name(), access), task -> new Thread(task, "start").start()))
                .toList();
        CompletableFuture.allOf(starting.toArray(CompletableFuture[]::new)).join();
        return here;
    }

    private void start(String name, Access with) {
        start(name, settings(name, with));
    }

    private void start(String name, NodeSettings settings) {
        try {
            running.put(name, QuorumNode.start(settings, said::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A node of that list, on an empty disk, which waits to be made a member; done once it was. */
    CompletableFuture<Void> join(String name, List<Member> list) {
        return CompletableFuture.runAsync(
                () -> start(name, settings(list, name, access, data(name), NodeSettings.Coming.JOINING)), task -> {
                    Thread thread = new Thread(task, "join");
                    joining.put(name, thread);
                    thread.start();
                });
    }

    /** Ends one that waits. */
    void stopJoining(String name) {
        Thread thread = Optional.ofNullable(joining.remove(name)).orElseThrow();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As these, with folders of their own; none runs. */
    NodesHere elsewhere() {
        return new NodesHere(access, members);
    }

    /** Starts a node as that list says, on the disk that it has. */
    void start(String name, List<Member> list) {
        start(name, settings(list, name, access, data(name)));
    }

    /** Unless it runs. */
    void startAgain(String name) {
        if (!running.containsKey(name)) {
            start(name, access);
        }
    }

    private NodeSettings settings(String name, Access with) {
        return settings(members, name, with, data(name));
    }

    static NodeSettings settings(List<Member> members, String name, Access with, Path data) {
        return settings(members, name, with, data, NodeSettings.Coming.AS_IT_IS);
    }

    private static NodeSettings settings(
            List<Member> members, String name, Access with, Path data, NodeSettings.Coming coming) {
        return new NodeSettings(
                members,
                name,
                data,
                with.tokens(),
                with.tls(),
                coming,
                Duration.ofSeconds(1),
                NodeSettings.SNAPSHOT_EVERY);
    }

    /** Ends one in good order. */
    void stop(String name) {
        try {
            Optional.ofNullable(running.remove(name)).orElseThrow().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that the nodes have said. */
    List<String> said() {
        return said;
    }

    /** Why a running node ends by itself, once it does. */
    CompletableFuture<String> end(String name) {
        QuorumNode node = Optional.ofNullable(running.get(name)).orElseThrow();
        return CompletableFuture.supplyAsync(() -> {
            try {
                return node.awaitEnd().map(QuorumNode.End::why).orElse("closed");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    Path data(String name) {
        return folder.resolve(name);
    }

    Path folder() {
        return folder.path();
    }

    List<Member> members() {
        return members;
    }

    Member member(String name) {
        return members.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Of all nodes. */
    String uri() {
        return "quorum://"
                + members.stream()
                        .map(member -> member.host() + ":" + member.port())
                        .collect(Collectors.joining(","));
    }

    /** Of one node. */
    String uri(String name) {
        return "quorum://" + member(name).host() + ":" + member(name).port();
    }

    /** A client of that URI; closed with the nodes. */
    Coordinator open(String uri) {
        return open(uri, REQUEST_TIMEOUT);
    }

    Coordinator open(String uri, Duration requestTimeout) {
        Coordinator client = new QuorumCoordinatorProvider().open(uri, timeline, requestTimeout, Mode.CREATE);
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(Coordinator::close);
        joining.values().forEach(Thread::interrupt);
        List.copyOf(running.keySet()).forEach(this::stop);
        timeline.close();
        folder.close();
    }
}
