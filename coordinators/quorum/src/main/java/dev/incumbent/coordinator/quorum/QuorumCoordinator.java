package dev.incumbent.coordinator.quorum;

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
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A coordinator on the quorum servers.
 *
 * <p>Four threads at most, each with a connection: one for leases, so that nothing delays a keep-alive, one for what else changes the store, one
 * for reads, and while somebody watches one that holds a watch open.
 */
final class QuorumCoordinator implements Coordinator {
    private static final int MOST_NAMES_AT_ONCE = 1_000;

    static final Capabilities CAPABILITIES = new Capabilities(
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ofSeconds(1),
            true,
            true,
            Capabilities.ExpiryClock.SERVER_MONOTONIC,
            Capabilities.Consistency.LINEARIZABLE);

    private final QuorumUri at;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Mode mode;
    private final Messenger leases;
    private final Messenger changes;
    private final Messenger reads;
    private final Watching watching;
    private final MemberQuestions members;

    QuorumCoordinator(QuorumUri at, Timeline timeline, Duration requestTimeout, Mode mode) {
        this.at = at;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.mode = mode;
        Nodes nodes = new Nodes(at.nodes());
        Link.Wiring wiring = new Link.Wiring(at.access(), timeline);
        this.leases = new Messenger("leases", at.label(), nodes, wiring);
        this.changes = new Messenger("changes", at.label(), nodes, wiring);
        this.reads = new Messenger("reads", at.label(), nodes, wiring);
        this.members = new MemberQuestions(at, timeline, requestTimeout);
        this.watching = new Watching(nodes, wiring, requestTimeout.toNanos());
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        long millis = timeToLive.plusNanos(999_999).toMillis();
        String line = Line.of(Words.GRANT, "", owner.value(), Long.toString(millis));
        return change(
                leases,
                line,
                (answer, sentAt) ->
                        new GrantedLease(new LeaseId(answer.get(1)), Duration.ofMillis(Long.parseLong(answer.get(2)))));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return change(leases, Line.of(Words.KEEP, lease.value()), done(lease));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return change(leases, Line.of(Words.REVOKE, lease.value()), done(lease));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        List<List<ElectionName>> parts = parts(elections);
        List<CompletableFuture<Map<ElectionName, Reading>>> answers = new ArrayList<>();
        for (List<ElectionName> part : parts) {
            Request<Map<ElectionName, Reading>> request = new Request<>(
                    line(Words.READ, part), false, (answer, sentAt) -> readings(part, answer), deadline());
            CompletableFuture<Map<ElectionName, Reading>> reply = read(request);
            answers.add(parts.size() == 1 ? reply : reply.exceptionally(failure -> unread(part, failure)));
        }
        return joined(answers);
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        String line = Line.of(
                Words.SWAP,
                election.value(),
                expected.value(),
                next.nonce(),
                next.lease().map(LeaseId::value).orElse(""),
                RecordJson.write(next));
        return change(changes, line, (answer, sentAt) -> swapped(answer));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return watching.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        String line = Line.of(
                Words.ENLIST,
                election.value(),
                candidate.candidate().id().value(),
                candidate.lease().value(),
                RecordJson.write(candidate));
        return change(changes, line, done(candidate.lease()));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return change(
                changes, Line.of(Words.WITHDRAW, election.value(), candidate.value()), (answer, sentAt) -> nothing());
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        List<CompletableFuture<Map<ElectionName, List<Enlisted>>>> parts = new ArrayList<>();
        for (List<ElectionName> part : parts(elections)) {
            parts.add(read(new Request<>(
                    line(Words.CANDIDATES, part), false, (answer, sentAt) -> standing(part, answer), deadline())));
        }
        return joined(parts);
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return read(new Request<>(
                Line.of(Words.ELECTIONS, prefix),
                false,
                (answer, sentAt) -> answer.stream()
                        .skip(1)
                        .flatMap(name -> ElectionName.ifLegal(name).stream())
                        .toList(),
                deadline()));
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return read(new Request<>(
                Line.of(Words.CLOCK),
                false,
                (answer, sentAt) -> Optional.of(Instant.ofEpochMilli(Long.parseLong(answer.get(1)))),
                deadline()));
    }

    @Override
    public CompletionStage<OptionalInt> memberCount() {
        return members.ask();
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        watching.close();
        members.close();
        leases.close();
        changes.close();
        reads.close();
    }

    private <T> CompletionStage<T> change(Messenger by, String line, Request.Meaning<T> meaning) {
        if (mode == Mode.READ_ONLY) {
            return CompletableFuture.failedStage(
                    new CoordinatorUnusableException(at.label() + " was opened to be read only"));
        }
        return by.submit(new Request<>(line, true, meaning, deadline())).reply();
    }

    private <T> CompletableFuture<T> read(Request<T> request) {
        return reads.submit(request).reply();
    }

    private long deadline() {
        return timeline.nanos() + requestTimeout.toNanos();
    }

    private static Request.Meaning<Void> done(LeaseId lease) {
        return (answer, sentAt) -> {
            if (answer.get(0).equals(Words.LOST)) {
                throw new LeaseLostException(lease, "it ended, was revoked, or was never granted");
            }
            return nothing();
        };
    }

    private static Map<ElectionName, Reading> readings(List<ElectionName> asked, List<String> answer) {
        Map<ElectionName, Reading> readings = new HashMap<>();
        asked.forEach(election -> readings.put(election, new Reading.Absent()));
        Told.all(answer, 1).forEach(told -> readings.put(told.name(), told.reading()));
        return readings;
    }

    private static Map<ElectionName, Reading> unread(List<ElectionName> part, Throwable failure) {
        Map<ElectionName, Reading> readings = new HashMap<>();
        part.forEach(election -> readings.put(election, new Reading.Unread(String.valueOf(failure.getMessage()))));
        return readings;
    }

    private static Swap swapped(List<String> answer) {
        if (answer.get(0).equals(Words.ACCEPTED)) {
            return new Swap.Accepted(new Revision(answer.get(1)));
        }
        List<Told> current = Told.all(answer, 1);
        return new Swap.Refused(
                current.isEmpty()
                        ? Optional.of(ObservedRecord.ABSENT)
                        : current.get(0).observedIfReadable());
    }

    /** A candidate of a later version stands, but not for anybody who cannot read what it brings. */
    private static Map<ElectionName, List<Enlisted>> standing(List<ElectionName> asked, List<String> answer) {
        Map<ElectionName, List<Enlisted>> lists = new HashMap<>();
        asked.forEach(election -> lists.put(election, new ArrayList<>()));
        for (int i = 1; i + 1 < answer.size(); i += 2) {
            List<Enlisted> list = lists.getOrDefault(new ElectionName(answer.get(i)), new ArrayList<>());
            try {
                list.add(RecordJson.readEnlisted(answer.get(i + 1)));
            } catch (UnreadableRecordException ofALaterVersion) {
                // It is left out.
            }
        }
        return lists;
    }

    private static List<List<ElectionName>> parts(Set<ElectionName> elections) {
        List<ElectionName> all = List.copyOf(elections);
        List<List<ElectionName>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MOST_NAMES_AT_ONCE) {
            parts.add(all.subList(from, Math.min(all.size(), from + MOST_NAMES_AT_ONCE)));
        }
        return parts;
    }

    private static String line(String word, List<ElectionName> elections) {
        List<String> fields = new ArrayList<>(List.of(word));
        elections.forEach(election -> fields.add(election.value()));
        return Line.of(fields);
    }

    private static <T> CompletableFuture<Map<ElectionName, T>> joined(
            List<CompletableFuture<Map<ElectionName, T>>> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        CompletableFuture<Map<ElectionName, T>> whole = CompletableFuture.completedFuture(new HashMap<>());
        for (CompletableFuture<Map<ElectionName, T>> part : parts) {
            whole = whole.thenCombine(part, (all, more) -> {
                all.putAll(more);
                return all;
            });
        }
        return whole;
    }

    @SuppressWarnings("NullAway") // Void has no other value.
    private static Void nothing() {
        return null;
    }
}
