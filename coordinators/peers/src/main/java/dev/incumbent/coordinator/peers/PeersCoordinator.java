package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.Audience;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Request;
import dev.incumbent.model.Revision;
import dev.incumbent.peers.MemberId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A group as those see it who are no members: reading asks all members, and a request to hand over or to resign goes to the leader. A record is made of the answers: the leader is whose guard says yes. Nothing else can
 * be written, because peers keep no record: it fails with a {@link CoordinatorUnusableException}.
 *
 * <p>A bully or a ring that has two leaders is told as led by the greater one.
 */
final class PeersCoordinator implements Coordinator {
    private static final Duration POLL = Duration.ofMillis(250);
    private static final String NO_RECORD =
            "peers keep no record, so that only a candidacy's own program leads by them,"
                    + " and nothing of it can be frozen, planned, ranked or looked up later: use a coordinator, such as quorum://";
    private static final Capabilities CAPABILITIES = new Capabilities(
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ZERO,
            false,
            false,
            Capabilities.ExpiryClock.SERVER_MONOTONIC,
            Capabilities.Consistency.LINEARIZABLE);
    private static final Capabilities UNSAFE = new Capabilities(
            CAPABILITIES.leaseFloor(),
            CAPABILITIES.leaseGranularity(),
            CAPABILITIES.expiryLag(),
            false,
            false,
            CAPABILITIES.expiryJudgedBy(),
            Capabilities.Consistency.BEST_EFFORT);

    private final PeersUri uri;
    private final AskedPeers peers;
    private final Timeline timeline;
    private final Audience audience = new Audience();
    /** What this client has asked of the present term; it stands in no member's memory. */
    private volatile Optional<Request> request = Optional.empty();

    private volatile boolean isClosed;

    PeersCoordinator(PeersUri uri, Timeline timeline, Duration bound) {
        this.uri = uri;
        this.timeline = timeline;
        this.peers = new AskedPeers(uri, bound);
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return answers().thenApply(all -> {
            Map<ElectionName, Reading> readings = new TreeMap<>();
            for (ElectionName election : elections) {
                List<PeerStanding> of = of(election, all);
                readings.put(election, of.isEmpty() ? new Reading.Absent() : new Reading.Found(observed(of)));
            }
            return readings;
        });
    }

    private CompletionStage<List<PeerStanding>> answers() {
        if (isClosed) {
            return CompletableFuture.failedFuture(new CoordinatorException(uri.label() + " is closed", false));
        }
        return peers.all();
    }

    private static List<PeerStanding> of(ElectionName election, List<PeerStanding> all) {
        return all.stream().filter(one -> one.group().equals(election)).toList();
    }

    /** Of several whose guards say yes, as of a bully, the greatest is told. */
    private static Optional<PeerStanding> leader(List<PeerStanding> all) {
        return all.stream()
                .filter(PeerStanding::leads)
                .max(Comparator.comparingLong((PeerStanding one) -> one.kind().isSafe() ? one.term() : 0)
                        .thenComparing(PeerStanding::member));
    }

    private ObservedRecord observed(List<PeerStanding> all) {
        Optional<PeerStanding> leader = leader(all);
        long known = all.stream().mapToLong(PeerStanding::term).max().orElse(0);
        LeaderRecord empty = LeaderRecord.EMPTY.vacated(known, Instant.EPOCH);
        if (leader.isEmpty()) {
            return new ObservedRecord(empty, new Revision("term " + known), false, Optional.empty());
        }
        PeerStanding leads = leader.get();
        LeaderRecord record = empty.claimedBy(
                        leads.term(), leads.candidate(), lease(leads), leads.lease(), leads.since())
                .withRequest(request.filter(one -> one.term() == leads.term()));
        Optional<Duration> remaining =
                Optional.of(leads.remaining()).filter(left -> leads.kind().isSafe());
        return new ObservedRecord(
                record,
                new Revision("term " + leads.term() + " of " + leads.candidate().id()),
                true,
                remaining);
    }

    private static LeaseId lease(PeerStanding of) {
        return new LeaseId(of.candidate().id().value());
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return answers().thenApply(all -> {
            Map<ElectionName, List<Enlisted>> candidates = new TreeMap<>();
            for (ElectionName election : elections) {
                candidates.put(
                        election,
                        of(election, all).stream()
                                .sorted(Comparator.comparing(PeerStanding::member))
                                .map(one -> new Enlisted(one.candidate(), lease(one), one.since(), Set.of()))
                                .toList());
            }
            return candidates;
        });
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return answers()
                .thenApply(all -> all.stream()
                        .map(PeerStanding::group)
                        .filter(name -> prefix.isEmpty()
                                || name.value().equals(prefix)
                                || name.value().startsWith(prefix + "/"))
                        .distinct()
                        .sorted()
                        .toList());
    }

    /** Accepts a request of the present term, which the leader is told, and its taking back. */
    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return answers().thenCompose(all -> {
            List<PeerStanding> of = of(election, all);
            ObservedRecord now = of.isEmpty() ? ObservedRecord.ABSENT : observed(of);
            Optional<PeerStanding> leader = leader(of);
            boolean isRequest = next.withRequest(now.record().request()).equals(sameNonce(now.record(), next));
            if (!isRequest || !uri.kind().isSafe()) {
                return CompletableFuture.failedFuture(noRecord());
            }
            if (leader.isEmpty() || !now.revision().equals(expected)) {
                return CompletableFuture.completedStage(new Swap.Refused(Optional.of(now)));
            }
            Optional<Request> before = request;
            request = next.request();
            if (next.request().isEmpty() || next.request().equals(before)) {
                return CompletableFuture.completedStage(new Swap.Accepted(now.revision()));
            }
            MemberId leads = leader.get().member();
            return peers.ask(leads, question(next.request().get()))
                    .thenApply(told -> new Swap.Accepted(now.revision()));
        });
    }

    private static LeaderRecord sameNonce(LeaderRecord record, LeaderRecord as) {
        return record.written(as.nonce());
    }

    private static PeerQuestion question(Request asked) {
        return asked instanceof Request.TransferTo transfer
                ? new PeerQuestion.HandOver(transfer.term(), transfer.successor())
                : new PeerQuestion.GiveUp(asked.term());
    }

    /** Asks the members four times a second. */
    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = audience.join(election, watcher);
        look(watching, Optional.empty());
        return watching;
    }

    private void look(Watching watching, Optional<ObservedRecord> before) {
        if (isClosed || watching.isClosed()) {
            return;
        }
        read(Set.of(watching.election())).whenComplete((readings, failure) -> {
            Optional<ObservedRecord> now = failure != null ? Optional.empty() : Optional.of(found(watching, readings));
            if (now.isEmpty() && before.isPresent()) {
                watching.tell(Watcher::gap);
            } else if (now.isPresent()
                    && before.filter(one -> isSame(one, now.get())).isEmpty()) {
                watching.tellState(now);
            }
            timeline.at(timeline.nanos() + POLL.toNanos(), () -> look(watching, now));
        });
    }

    private static ObservedRecord found(Watching watching, Map<ElectionName, Reading> readings) {
        return readings.get(watching.election()) instanceof Reading.Found found
                ? found.record()
                : ObservedRecord.ABSENT;
    }

    /** What is left of a lease is another one each time. */
    private static boolean isSame(ObservedRecord one, ObservedRecord other) {
        return one.record().equals(other.record()) && one.leaseAlive() == other.leaseAlive();
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public CompletionStage<OptionalInt> memberCount() {
        return CompletableFuture.completedStage(OptionalInt.of(uri.addresses().size()));
    }

    @Override
    public Capabilities capabilities() {
        return uri.kind().isSafe() ? CAPABILITIES : UNSAFE;
    }

    private CoordinatorUnusableException noRecord() {
        return new CoordinatorUnusableException(uri.label() + ": " + NO_RECORD);
    }

    private <T> CompletionStage<T> refused() {
        return CompletableFuture.failedFuture(noRecord());
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return refused();
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return refused();
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return refused();
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return refused();
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return refused();
    }

    @Override
    public void close() {
        isClosed = true;
        audience.clear();
    }
}
