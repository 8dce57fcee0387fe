package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.NodeSettings.Coming;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.time.SystemTimeline;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * One node of the quorum, running until it is closed.
 *
 * <p>It listens first, so that the nodes can tell each other of their disks, and takes part only once it is admitted.
 */
public final class QuorumNode implements Closeable {
    private static final String LOG_FOLDER = "log";
    /** Four files of the log (RaftOptions). */
    private static final long LEAST_ROOM = 4 << 20;

    /** All that was acknowledged is on the disk by then. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    // Bytes of a request's body.
    private static final int SHORT = 1 << 10;
    private static final int ROLL = 64 << 10;

    private final NodeSettings settings;
    private final Consumer<String> says;
    private final SystemTimeline timeline = new SystemTimeline();
    private final SharedTable table = new SharedTable(timeline);
    private final Endpoint endpoint;
    private final Peering peering;
    private final CompletableFuture<Optional<End>> end = new CompletableFuture<>();
    private final Health health = new Health(timeline, end::isDone);
    private volatile Optional<Replica> replica = Optional.empty();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean hasBeenIn;
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
     * Why a node cannot go on.
     *
     * @param why one sentence
     */
    public record End(String why, Cause cause) {}

    /** What ended a node. */
    public enum Cause {
        /** It is no member any more. */
        LEFT_OUT,
        /** Its log cannot be written. */
        DISK,
        /** One of its threads threw what nobody caught, or Ratis has closed its part in the replication. */
        FAULT
    }

    /**
     * Starts a node; returns once it takes part. Throws {@link NodeRefusal} where it must not.
     *
     * @param says hears, in sentences, what it waits for
     */
    public static QuorumNode start(NodeSettings settings, Consumer<String> says)
            throws IOException, InterruptedException {
        Marker marker = settings.coming() == Coming.REJOINING
                ? settingAside(settings)
                : Marker.read(settings.folder(), settings.name());
        QuorumNode node = new QuorumNode(settings, says);
        try {
            node.takePart(
                    settings.coming() == Coming.JOINING && !marker.roll().isFormatted() ? marker.joining() : marker);
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
        Seeding seeding = Seeding.of(settings, found, isNew, timeline, says);
        found.write(settings.folder());
        endpoint.answer(new Route(
                Peers.ROLL, Right.REPLICATE, ROLL, Kind.DURABLE, asked -> Answer.now(200, peers.answer(asked.body()))));
        if (isNew && !seeding.isDue() && found.own().beats() > 1) {
            throw new NodeRefusal("node " + settings.name() + " does not start: the marker in " + settings.folder()
                    + " tells of a log, and there is none; --rejoin lets it come back as a new voter");
        }
        if (found.joins() && settings.coming() != Coming.JOINING) {
            throw new NodeRefusal("node " + settings.name() + " does not start: it was never taken in as a member;"
                    + " start it with --join, and name it to 'incumbent server change'");
        }
        Arrival arrival = new Arrival(settings, peers, says, () -> closed);
        arrival.awaitAdmission();
        seeding.makeLog(peers.marker().roll().cluster(), settings.folder().resolve(LOG_FOLDER));
        peers.beat();
        Replica started =
                Replica.start(replication(peers, isNew && !seeding.isDue()), table, timeline, new Hearing(peers));
        replica = Optional.of(started);
        Levels levels = new Levels(peers, peering);
        Ascending ascending = new Ascending(peers::members, levels, started, table, says);
        endpoint.answer(new Route(
                Levels.PATH,
                Right.REPLICATE,
                SHORT,
                Kind.DURABLE,
                asked -> Answer.now(200, levels.answer(asked.body()))));
        serve(started, peers, ascending, new Membership(started, table, levels, ascending, says));
        health.follow(Health.Part.of(started));
        inBackground("incumbent-beat", new Beating(settings.name(), peers, says, () -> endWhenOut(peers)));
        inBackground("incumbent-level", ascending);
        arrival.awaitTakenIn();
    }

    /** What the replication tells this node. */
    private final class Hearing implements Notices {
        private final Peers peers;

        private Hearing(Peers peers) {
            this.peers = peers;
        }

        /** A node that cannot write its log is of no use, and may be in the way: Ratis writes to it no more, room or not, and may lead all the same. */
        @Override
        public void logFailed(Throwable cause) {
            ends(
                    Cause.DISK,
                    "its log in " + settings.folder() + " cannot be written ("
                            + rootOf(cause).getMessage()
                            + "); all that it acknowledged is there: make room, and start it again");
        }

        /** A node without its part is of no use, and nobody would notice. Ratis closes the part of a member that was left out, too, and may do so before the log told this node: so the others are asked first. */
        @Override
        public void ended(String why) {
            Thread asks = new Thread(
                    () -> {
                        learnWhetherItIsOut();
                        ends(Cause.FAULT, why + "; all that it acknowledged is there: start it again");
                    },
                    "incumbent-part-ended");
            asks.setDaemon(true);
            asks.start();
        }

        private void learnWhetherItIsOut() {
            try {
                peers.beat();
            } catch (IOException | NodeRefusal nobodyTells) {
                // It ends in any case.
            }
            endWhenOut(peers);
        }

        /** It stays up, so that its status can say why. */
        @Override
        public void halted(String why) {
            says.accept("node " + settings.name() + " is halted, and applies, answers and votes no more: " + why
                    + "; start it with the build that wrote this");
        }

        @Override
        public void configured(Members now) {
            try {
                peers.change(mine -> mine.configured(now));
            } catch (ClosedByInterruptException end) {
                return; // this node is closed
            } catch (IOException e) {
                says.accept("the marker of node " + settings.name() + " cannot be written: " + e);
            }
            endWhenOut(peers);
        }
    }

    /** A member that was left out ends: the others neither ask it nor answer it. */
    private void endWhenOut(Peers peers) {
        Marker marker = peers.marker();
        if (!marker.isOut()) {
            hasBeenIn = true;
        } else if (hasBeenIn) {
            ends(
                    Cause.LEFT_OUT,
                    "it is none of the quorum's members any more, which are "
                            + marker.roll().members());
        }
    }

    /** A thread has thrown what nobody caught: what it did is not done any more, and nobody would notice. For the handler of the uncaught, which is the program's. */
    public void fails(Thread thread, Throwable failure) {
        ends(
                Cause.FAULT,
                "its thread " + thread.getName() + " failed (" + failure
                        + "); all that it acknowledged is there: start it again");
    }

    private void ends(Cause cause, String why) {
        end.complete(Optional.of(new End("node " + settings.name() + " ends: " + why, cause)));
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

    static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Waits until it is closed, or cannot go on: then it is told why, and the node is to be closed. */
    public Optional<End> awaitEnd() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        }
    }

    private Replica.Settings replication(Peers peers, boolean isNew) {
        Marker marker = peers.marker();
        boolean isVoter = settings.coming() != Coming.REJOINING && !marker.joins();
        return new Replica.Settings(
                UUID.fromString(marker.roll().cluster()),
                new Replica.Peer(settings.self(), marker.disk()),
                isVoter ? voters(marker.roll()) : List.of(),
                settings.folder().resolve(LOG_FOLDER),
                isNew,
                new RaftOptions.Choices(settings.electionTimeout(), settings.snapshotEvery(), settings.tls()));
    }

    private List<Replica.Peer> voters(Roll roll) {
        return roll.members().areKnown()
                ? roll.members().peers()
                : settings.members().stream()
                        .map(member -> new Replica.Peer(
                                member, roll.disk(member.name()).orElseThrow().id()))
                        .toList();
    }

    private void serve(Replica leading, Peers peers, Ascending ascending, Membership membership) {
        Calls calls = new Calls(leading, new Forwarder(peers::members, peering));
        Watches watches = new Watches(leading, table, timeline);
        Pages pages = new Pages(settings, leading, table);
        String cluster = peers.marker().roll().cluster();
        Copies copies = new Copies(leading::read, () -> table.copy(cluster, settings.name()), timeline);
        Metrics metrics = new Metrics(leading, table, watches, health, endpoint.requests());
        endpoint.takePart(
                peers.marker().roll().cluster(),
                leading::leader,
                () -> peers.marker().roll().members(),
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
                                asked -> Answer.now(200, pages.status(peers.marker(), peers.members()))),
                        new Route(
                                "/metrics",
                                Right.READ,
                                SHORT,
                                Kind.CALL,
                                asked -> CompletableFuture.completedFuture(
                                        new Answer(200, Metrics.TYPE, metrics.text()))),
                        new Route("/v1/elections", Right.READ, SHORT, Kind.CALL, pages::elections),
                        new Route(
                                "/v1/transfer",
                                Right.OPERATE,
                                SHORT,
                                Kind.CALL,
                                asked -> transfer(leading, peers, asked)),
                        new Route(Copies.PATH, Right.OPERATE, SHORT, Kind.CALL, copies::answer),
                        new Route(
                                Membership.PATH,
                                Right.READ,
                                ROLL,
                                Kind.CALL,
                                asked -> asked.body().isEmpty()
                                        ? Answer.now(200, pages.members(peers))
                                        : membership.change(asked)),
                        new Route(
                                Arrival.REJOIN,
                                Right.REPLICATE,
                                SHORT,
                                Kind.CALL,
                                asked -> takeIn(peers, ascending, asked))));
    }

    private static boolean isAnswer(String text) {
        return !text.startsWith(Words.LATER) && !text.startsWith(Words.ELSEWHERE);
    }

    /** {@code POST /v1/transfer/NAME} at the node that leads. */
    private CompletableFuture<Answer> transfer(Replica leading, Peers peers, Asked asked) {
        String name = asked.rest().replace("/", "");
        Optional<Member> to = named(peers, name);
        if (!asked.method().equals("POST") || to.isEmpty()) {
            return Answer.now(404, "POST /v1/transfer/NAME hands the leadership to a member of that name\n");
        }
        String disk = peers.marker().roll().disk(name).orElseThrow().id();
        return leading.transfer(new Replica.Peer(to.get(), disk)).thenApply(done -> {
            List<String> answer = Line.fields(done);
            return done.equals(Words.DONE)
                    ? new Answer(200, done + "\n")
                    : new Answer(503, answer.get(answer.size() - 1) + "\n");
        });
    }

    private static Optional<Member> named(Peers peers, String name) {
        return peers.members().stream()
                .filter(member -> member.name().equals(name))
                .findFirst();
    }

    private CompletableFuture<Answer> takeIn(Peers peers, Ascending ascending, Asked asked) {
        List<String> fields = Line.fields(asked.body());
        Member member = named(peers, fields.get(0))
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
        replica.ifPresent(this::closeInTime);
        timeline.close();
    }

    /** With a disk that fails Ratis may never be done. */
    private void closeInTime(Replica closing) {
        Thread closes = new Thread(closing::leave, "incumbent-close");
        closes.setDaemon(true);
        closes.start();
        boolean interrupted = false;
        long end = timeline.nanos() + CLOSING.toNanos();
        while (closes.isAlive() && timeline.nanos() < end) {
            try {
                closes.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - timeline.nanos())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (closes.isAlive()) {
            says.accept("node " + settings.name() + " ends, and its log is not closed yet");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
