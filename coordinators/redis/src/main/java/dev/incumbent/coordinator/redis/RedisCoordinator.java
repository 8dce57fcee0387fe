package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import redis.clients.jedis.Protocol.Command;

/**
 * A coordinator in one Redis server, at an address or where sentinels say: exact as long as that server forgets nothing, and best effort since it may, by a failover
 * to a replica that lags or by a restart without its last writes.
 *
 * <p>Three threads at most, each with a connection: one for calls, one for leases, and while somebody watches one that listens; and one for each sentinel.
 */
final class RedisCoordinator implements Coordinator {
    static final Duration LEASE_FLOOR = Duration.ofMillis(300);
    static final Duration EXPIRY_LAG = Duration.ofMillis(250);
    static final int CHUNK = 128;

    static final Capabilities CAPABILITIES = new Capabilities(
            LEASE_FLOOR,
            Duration.ofMillis(1),
            EXPIRY_LAG,
            true,
            true,
            Capabilities.ExpiryClock.SERVER_WALL,
            Capabilities.Consistency.BEST_EFFORT);

    private final Place at;
    private final Keys keys;
    private final Mode mode;
    private final ServerLane calls;
    private final ServerLane leases;
    private final Poller poller;
    private final WakeUps wakeUps;

    RedisCoordinator(RedisUri uri, Timeline timeline, Duration requestTimeout, Mode mode) {
        this.at = uri.followed().isPresent()
                ? new Sentinels(uri, timeline, requestTimeout)
                : Place.fixed(uri.servers().get(0), Role.MASTER);
        this.keys = new Keys(uri.prefix());
        this.mode = mode;
        this.calls = new ServerLane("calls", at, timeline, requestTimeout);
        this.leases = new ServerLane("leases", at, timeline, requestTimeout);
        this.poller = new Poller(new Looks(requestTimeout), timeline);
        this.wakeUps = new WakeUps(at, keys.changes(), requestTimeout, poller);
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        Duration length = timeToLive.compareTo(LEASE_FLOOR) < 0
                ? LEASE_FLOOR
                : Duration.ofMillis(timeToLive.plusNanos(999_999).toMillis());
        LeaseId id = new LeaseId(UUID.randomUUID().toString());
        String millis = Long.toString(length.toMillis());
        Request grant =
                Request.writing(Script.GRANT, List.of(keys.lease(id)), List.of(millis + " " + owner.value(), millis));
        return write(leases, grant, reply -> {
            if (!reply.isYes()) {
                throw new LeaseLostException(id, "its id was granted before");
            }
            return new GrantedLease(id, length);
        });
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        Request keep = Request.writing(Script.KEEP, List.of(keys.lease(lease)), List.of(Keys.TOMBSTONE_MILLIS));
        return write(leases, keep, reply -> {
            if (!reply.isYes()) {
                throw new LeaseLostException(lease, at + " says that it ended, was revoked, or was never granted");
            }
            return done();
        });
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        Request revoke = Request.writing(
                Script.REVOKE,
                List.of(keys.lease(lease), keys.version()),
                List.of(Keys.TOMBSTONE_MILLIS, keys.changes(), lease.value()));
        return write(leases, revoke, reply -> done());
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        List<ElectionName> asked = List.copyOf(new TreeSet<>(elections));
        return Chunks.ask(asked, CHUNK, this::states).thenApply(answers -> Chunks.readings(asked, answers));
    }

    private CompletableFuture<Map<ElectionName, Seen>> states(List<ElectionName> some) {
        List<String> all = new ArrayList<>(List.of(keys.nothing()));
        some.forEach(election -> all.add(keys.record(election)));
        Request read = Request.reading(Script.READ, all, List.of(keys.leases(), Keys.TOMBSTONE_MILLIS));
        return calls.submit(read, reply -> {
            Map<ElectionName, Seen> states = new HashMap<>();
            List<Reply> items = reply.items();
            for (int i = 0; i < some.size(); i++) {
                states.put(some.get(i), Seen.of(items.get(i)));
            }
            return states;
        });
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        Request swap = Request.writing(
                Script.SWAP,
                List.of(keys.nothing(), keys.record(election), keys.records(), keys.version()),
                List.of(
                        keys.leases(),
                        Keys.TOMBSTONE_MILLIS,
                        expected.value(),
                        RecordJson.write(next),
                        next.nonce(),
                        next.lease().map(LeaseId::value).orElse(""),
                        election.value(),
                        keys.changes()));
        return write(
                calls,
                swap,
                reply -> reply.item(0).isYes()
                        ? new Swap.Accepted(new Revision(next.nonce()))
                        : new Swap.Refused(Seen.of(reply.item(1)).state()));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        wakeUps.start();
        return poller.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        Request enlist = Request.writing(
                Script.ENLIST,
                List.of(
                        keys.nothing(),
                        keys.order(election),
                        keys.candidates(election),
                        keys.counter(),
                        keys.lists(),
                        keys.lease(candidate.lease())),
                List.of(
                        keys.leases(),
                        Keys.TOMBSTONE_MILLIS,
                        candidate.candidate().id().value(),
                        candidate.lease() + " " + RecordJson.write(candidate),
                        election.value()));
        return write(calls, enlist, reply -> {
            if (!reply.isYes()) {
                throw new LeaseLostException(candidate.lease(), "nobody enlists on it in " + election);
            }
            return done();
        });
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        Request withdraw = Request.writing(
                Script.WITHDRAW, List.of(keys.order(election), keys.candidates(election)), List.of(candidate.value()));
        return write(calls, withdraw, reply -> done());
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return Chunks.ask(List.copyOf(new TreeSet<>(elections)), CHUNK, this::lists)
                .thenApply(Chunks.Answers::orFailure);
    }

    private CompletableFuture<Map<ElectionName, List<Enlisted>>> lists(List<ElectionName> some) {
        List<String> all = new ArrayList<>(List.of(keys.nothing()));
        some.forEach(election -> {
            all.add(keys.order(election));
            all.add(keys.candidates(election));
        });
        Request list = Request.reading(Script.CANDIDATES, all, List.of(keys.leases(), Keys.TOMBSTONE_MILLIS));
        return calls.submit(list, reply -> {
            Map<ElectionName, List<Enlisted>> lists = new HashMap<>();
            List<Reply> items = reply.items();
            for (int i = 0; i < some.size(); i++) {
                lists.put(some.get(i), understood(items.get(i).texts()));
            }
            return lists;
        });
    }

    /** A candidate of a later version stands, but not for anybody who cannot read what it brings. */
    static List<Enlisted> understood(List<String> texts) {
        List<Enlisted> list = new ArrayList<>();
        for (String text : texts) {
            try {
                list.add(RecordJson.readEnlisted(text));
            } catch (UnreadableRecordException ofALaterVersion) {
                // It is left out.
            }
        }
        return List.copyOf(list);
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        List<String> arguments = new ArrayList<>(List.of(keys.orders()));
        arguments.addAll(Keys.ranges("", prefix));
        Request list =
                Request.reading(Script.ELECTIONS, List.of(keys.nothing(), keys.records(), keys.lists()), arguments);
        return calls.submit(list, reply -> List.of(names(reply.item(0)), names(reply.item(1))))
                .thenCompose(found -> {
                    Set<ElectionName> names = new TreeSet<>(found.get(0));
                    Set<ElectionName> onlyListed = new TreeSet<>(found.get(1));
                    onlyListed.removeAll(names);
                    return candidates(onlyListed).thenApply(lists -> {
                        lists.forEach((election, standing) -> {
                            if (!standing.isEmpty()) {
                                names.add(election);
                            }
                        });
                        return List.copyOf(names);
                    });
                });
    }

    static List<ElectionName> names(Reply reply) {
        return reply.texts().stream()
                .flatMap(name -> ElectionName.ifLegal(name).stream())
                .toList();
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return calls.submit(Request.of(Command.TIME), reply -> {
            long micros = reply.item(1).number();
            return Optional.of(Instant.ofEpochSecond(reply.item(0).number(), micros * 1_000));
        });
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        poller.close();
        wakeUps.close();
        leases.close();
        calls.close();
        at.close();
    }

    private <T> CompletionStage<T> write(ServerLane lane, Request request, Function<Reply, T> meaning) {
        return mode == Mode.CREATE
                ? lane.submit(request, meaning)
                : CompletableFuture.failedStage(
                        new CoordinatorUnusableException("the coordinator " + at + " was opened to be read only"));
    }

    @SuppressWarnings("NullAway") // Void has no other value.
    static Void done() {
        return null;
    }

    /** The store as its watches look at it: often where no message comes. */
    private final class Looks implements Poller.Store {
        private static final long DEAF_MILLIS = 250;
        private static final long LISTENING_MILLIS = 1_000;

        private final long requestTimeoutMillis;

        private Looks(Duration requestTimeout) {
            this.requestTimeoutMillis = requestTimeout.toMillis();
        }

        @Override
        public CompletableFuture<Map<ElectionName, Seen>> look(Set<ElectionName> elections) {
            return Chunks.ask(List.copyOf(elections), CHUNK, RedisCoordinator.this::states)
                    .thenApply(Chunks.Answers::told);
        }

        @Override
        public String life() {
            return calls.life();
        }

        @Override
        public CompletableFuture<Optional<String>> version() {
            Request version = Request.reading(Script.VERSION, List.of(keys.nothing(), keys.version()), List.of());
            return calls.submit(version, reply -> Optional.of(reply.text()));
        }

        @Override
        public Duration delay() {
            return Duration.ofMillis(
                    Math.min(requestTimeoutMillis, wakeUps.isListening() ? LISTENING_MILLIS : DEAF_MILLIS));
        }

        @Override
        public void missed() {
            wakeUps.restart();
        }
    }
}
