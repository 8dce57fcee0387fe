package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.time.SystemTimeline;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * One node of the quorum, running until it is closed.
 *
 * <p>It listens first, so that the nodes can tell each other of their disks, and takes part only once it is admitted.
 */
public final class QuorumNode implements Closeable {
    private static final String REJOIN = "/v1/rejoin";
    private static final String LOG_FOLDER = "log";
    private static final Duration ASKED_AGAIN = Duration.ofMillis(300);
    /** A file of the log grows to so much (RaftOptions). */
    private static final long LEAST_ROOM = 4 << 20;

    private static final long TRANSFER_MILLIS = 3_000;

    // Bytes of a request's body.
    private static final int SHORT = 1 << 10;
    private static final int ROLL = 64 << 10;

    private final NodeSettings settings;
    private final Consumer<String> says;
    private final SystemTimeline timeline = new SystemTimeline();
    private final SharedTable table = new SharedTable(timeline);
    private final Endpoint endpoint;
    private final Peering peering;
    private final CompletableFuture<Optional<String>> end = new CompletableFuture<>();
    private final Health health = new Health(timeline, end::isDone);
    private volatile Optional<Replica> replica = Optional.empty();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private QuorumNode(NodeSettings settings, Consumer<String> says) throws IOException {
        this.settings = settings;
        this.says = says;
        Optional<SSLContext> tls = settings.tls().map(Certificates::context);
        this.peering = new Peering(settings.tokens(), tls);
        this.endpoint = Endpoint.listen(settings.self(), settings.tokens(), tls);
        endpoint.answer(health.route());
    }

    /**
     * Starts a node; returns once it takes part. Throws {@link NodeRefusal} where it must not.
     *
     * @param says hears, in sentences, what it waits for
     */
    public static QuorumNode start(NodeSettings settings, Consumer<String> says)
            throws IOException, InterruptedException {
        Marker marker = settings.rejoin() ? settingAside(settings) : Marker.read(settings.folder(), settings.name());
        QuorumNode node = new QuorumNode(settings, says);
        try {
            node.takePart(marker);
            return node;
        } catch (IOException e) {
            node.close();
            if (NodeRefusal.isOfTheDisk(e)) {
                throw node.cannotWrite(String.valueOf(rootOf(e).getMessage()));
            }
            throw e;
        } catch (InterruptedException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    /** What lies there is kept beside, under another name. */
    private static Marker settingAside(NodeSettings settings) throws IOException {
        Path folder = settings.folder();
        if (Files.exists(folder)) {
            Path aside = folder.resolveSibling(folder.getFileName() + ".before-" + UUID.randomUUID());
            Files.move(folder, aside);
        }
        return Marker.fresh(settings.name());
    }

    private void takePart(Marker found) throws IOException, InterruptedException {
        Peers peers = new Peers(settings.folder(), found, settings.members(), peering);
        boolean isNew = !Files.exists(settings.folder().resolve(LOG_FOLDER));
        if (isNew) {
            requireRoom();
        }
        found.write(settings.folder());
        endpoint.answer(new Route(
                Peers.ROLL, Right.REPLICATE, ROLL, Kind.DURABLE, asked -> Answer.now(200, peers.answer(asked.body()))));
        if (isNew && found.own().beats() > 1) {
            throw new NodeRefusal("node " + settings.name() + " does not start: the marker in " + settings.folder()
                    + " tells of a log, and there is none; --rejoin lets it come back as a new voter");
        }
        if (settings.rejoin()) {
            comeBack(peers);
        } else {
            awaitAdmission(peers);
        }
        peers.beat();
        Replica started =
                Replica.start(replication(peers.marker(), isNew), table, timeline, this::logFailed, this::halted);
        replica = Optional.of(started);
        Levels levels = new Levels(peers, peering);
        Ascending ascending = new Ascending(settings.members(), levels, started, table, says);
        endpoint.answer(new Route(
                Levels.PATH,
                Right.REPLICATE,
                SHORT,
                Kind.DURABLE,
                asked -> Answer.now(200, levels.answer(asked.body()))));
        serve(started, peers, ascending);
        health.follow(Health.Part.of(started));
        inBackground("incumbent-beat", new Beating(settings.name(), peers, says));
        inBackground("incumbent-level", ascending);
        if (settings.rejoin()) {
            awaitTakenIn(peers);
        }
    }

    /** Before anything is begun there: half a log, or beats without one, would have to be set aside by hand. */
    private void requireRoom() throws IOException {
        Files.createDirectories(settings.folder());
        long free = Files.getFileStore(settings.folder()).getUsableSpace();
        if (free < LEAST_ROOM) {
            throw cannotWrite("a new log takes " + LEAST_ROOM + " bytes, and " + free + " are free");
        }
    }

    private NodeRefusal cannotWrite(String why) {
        return NodeRefusal.ofTheDisk("node " + settings.name() + " does not start: it cannot write to "
                + settings.folder() + " (" + why + "): make room, and start it again");
    }

    /** A node that cannot write its log is of no use, and may be in the way: Ratis writes to it no more, room or not, and may lead all the same. */
    private void logFailed(Throwable cause) {
        end.complete(Optional.of("node " + settings.name() + " ends: its log in " + settings.folder()
                + " cannot be written (" + rootOf(cause).getMessage()
                + "); all that it acknowledged is there: make room, and start it again"));
    }

    /** It stays up, so that its status can say why. */
    private void halted(String why) {
        says.accept("node " + settings.name() + " is halted, and applies, answers and votes no more: " + why
                + "; start it with the build that wrote this");
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Waits until it is closed, or cannot go on: then there is a sentence that says why, and it is to be closed. */
    public Optional<String> awaitEnd() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        }
    }

    private Replica.Settings replication(Marker marker, boolean isNew) {
        List<Replica.Peer> all = settings.members().stream()
                .map(member -> new Replica.Peer(
                        member, marker.roll().disk(member.name()).orElseThrow().id()))
                .toList();
        Replica.Peer self = new Replica.Peer(settings.self(), marker.disk());
        return new Replica.Settings(
                UUID.fromString(marker.roll().cluster()),
                self,
                settings.rejoin() ? List.of() : all,
                settings.folder().resolve(LOG_FOLDER),
                isNew,
                new RaftOptions.Choices(settings.electionTimeout(), settings.snapshotEvery(), settings.tls()));
    }

    /** A disk that a majority may not know of is asked about until enough have answered. */
    private void awaitAdmission(Peers peers) throws IOException, InterruptedException {
        String said = "";
        while (!closed) {
            Map<String, Roll> answers = peers.ask("");
            Admission admission = Admission.of(peers.marker(), settings.members(), answers);
            if (admission instanceof Admission.Refused refused) {
                throw new NodeRefusal("node " + settings.name() + " does not start: " + refused.why());
            }
            if (admission instanceof Admission.Admitted admitted) {
                peers.change(mine -> mine.with(admitted.roll()
                        .merged(mine.roll().inCluster(admitted.roll().cluster()))));
                return;
            }
            if (admission instanceof Admission.Wait wait && !wait.forWhom().equals(said)) {
                said = wait.forWhom();
                says.accept("node " + settings.name() + " waits for " + said);
            }
            SystemTimeline.sleep(ASKED_AGAIN);
        }
    }

    /** With an empty disk: learns of the quorum from any node of it. */
    private void comeBack(Peers peers) throws IOException, InterruptedException {
        while (!peers.marker().roll().isFormatted() && !closed) {
            for (Roll its : peers.ask("").values()) {
                if (its.isFormatted()) {
                    long generation =
                            its.disk(settings.name()).map(Roll.Disk::generation).orElse(0L) + 1;
                    peers.change(
                            mine -> mine.with(its.with(settings.name(), new Roll.Disk(generation, mine.disk(), 0))));
                    return;
                }
            }
            SystemTimeline.sleep(ASKED_AGAIN);
        }
    }

    private void awaitTakenIn(Peers peers) throws InterruptedException {
        says.accept("node " + settings.name() + " waits to be taken in as a new voter");
        while (!closed && !peers.rejoin(REJOIN)) {
            SystemTimeline.sleep(ASKED_AGAIN);
        }
        says.accept("node " + settings.name() + " was taken in");
    }

    private void serve(Replica leading, Peers peers, Ascending ascending) {
        Calls calls = new Calls(leading, new Forwarder(settings.members(), peering));
        Watches watches = new Watches(leading, table, timeline);
        Pages pages = new Pages(settings, leading, table);
        Metrics metrics = new Metrics(leading, table, watches, health, endpoint.requests());
        endpoint.takePart(
                peers.marker().roll().cluster(),
                leading::leader,
                List.of(
                        new Route(Words.CALLS, Right.READ, Route.LONGEST, Kind.CALL, calls::answer),
                        new Route(
                                Forwarder.PASSED_ON, Right.REPLICATE, Route.LONGEST, Kind.CALL, calls::answerPassedOn),
                        new Route(
                                Words.WATCH,
                                Right.READ,
                                Route.LONGEST,
                                Kind.HELD,
                                asked -> watches.answer(asked.body(), asked.withinMillis())
                                        .thenApply(text -> new Answer(isAnswer(text) ? 200 : 503, text))),
                        new Route(
                                "/v1/status",
                                Right.READ,
                                SHORT,
                                Kind.AT_ONCE,
                                asked -> Answer.now(200, pages.status(peers.marker()))),
                        new Route("/metrics", Right.READ, SHORT, Kind.CALL, asked -> Answer.now(200, metrics.text())),
                        new Route("/v1/elections", Right.READ, SHORT, Kind.CALL, pages::elections),
                        new Route(
                                "/v1/transfer",
                                Right.OPERATE,
                                SHORT,
                                Kind.CALL,
                                asked -> transfer(leading, peers, asked)),
                        new Route(REJOIN, Right.REPLICATE, SHORT, Kind.CALL, asked -> takeIn(ascending, asked))));
    }

    private static boolean isAnswer(String text) {
        return !text.startsWith(Words.LATER) && !text.startsWith(Words.ELSEWHERE);
    }

    /** {@code POST /v1/transfer/NAME} at the node that leads. */
    private CompletableFuture<Answer> transfer(Replica leading, Peers peers, Asked asked) {
        String name = asked.rest().replace("/", "");
        Optional<Member> to = settings.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst();
        if (!asked.method().equals("POST") || to.isEmpty()) {
            return Answer.now(404, "POST /v1/transfer/NAME hands the leadership to a member of that name\n");
        }
        String disk = peers.marker().roll().disk(name).orElseThrow().id();
        return leading.transfer(new Replica.Peer(to.get(), disk), TRANSFER_MILLIS)
                .thenApply(done -> new Answer(done.equals(Words.DONE) ? 200 : 503, done + "\n"));
    }

    private CompletableFuture<Answer> takeIn(Ascending ascending, Asked asked) {
        List<String> fields = Line.fields(asked.body());
        Member member = settings.members().stream()
                .filter(one -> one.name().equals(fields.get(0)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no member is named " + fields.get(0)));
        Replica.Peer next = new Replica.Peer(member, fields.get(1));
        return ascending.takeIn(next).thenApply(done -> {
            List<String> answer = Line.fields(done);
            if (answer.get(0).equals(Words.DONE)) {
                says.accept("member " + member.name() + " came back with the disk " + next.disk());
                return new Answer(200, done + "\n");
            }
            return answer.get(0).equals(Ascending.TOO_OLD)
                    ? new Answer(409, answer.get(1) + "\n")
                    : new Answer(503, done + "\n");
        });
    }

    private void inBackground(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        end.complete(Optional.empty());
        threads.forEach(Thread::interrupt);
        endpoint.close();
        if (replica.isPresent()) {
            replica.get().close();
        }
        timeline.close();
    }
}
