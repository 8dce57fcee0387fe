package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Records, each in the annotations of a Lease object, beside the fields that people know from {@code kubectl get leases}. A swap is one patch, which the
 * server applies only if the nonce is still the one expected: a resourceVersion is not compared, since a restored store repeats it.
 */
final class Records {
    /** So many are read one by one; more by one list of all. */
    private static final int FEW = 4;

    private final Leases leases;
    private final Sessions sessions;
    private final Failures failures;
    private final Timeline timeline;
    private final LongConsumer written;

    Records(Leases leases, Sessions sessions, Failures failures, Timeline timeline, LongConsumer written) {
        this.leases = leases;
        this.sessions = sessions;
        this.failures = failures;
        this.timeline = timeline;
        this.written = written;
    }

    CompletableFuture<Map<ElectionName, Reading>> read(Errand<?> errand, Set<ElectionName> asked) {
        return asked.size() <= FEW ? readEach(errand, asked) : readAll(errand, asked);
    }

    private CompletableFuture<Map<ElectionName, Reading>> readEach(Errand<?> errand, Set<ElectionName> asked) {
        Map<ElectionName, Reading> readings = new LinkedHashMap<>();
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (ElectionName election : asked) {
            reads.add(readOne(errand, election).thenAccept(reading -> {
                synchronized (readings) {
                    readings.put(election, reading);
                }
            }));
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenApply(done -> readings);
    }

    /** First the record, then its leader's lease. */
    private CompletableFuture<Reading> readOne(Errand<?> errand, ElectionName election) {
        return find(errand, election).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(new Reading.Absent());
            }
            Understood understood = Understood.of(election, found.get());
            Optional<LeaseId> lease = understood.record().flatMap(LeaderRecord::lease);
            return sessions.alive(errand, lease.map(Set::of).orElse(Set.of())).thenApply(understood::reading);
        });
    }

    /** Records and leases at one instant. */
    private CompletableFuture<Map<ElectionName, Reading>> readAll(Errand<?> errand, Set<ElectionName> asked) {
        return list(errand, Leases.ALL_BUT_CANDIDATES).thenCompose(objects -> {
            Map<String, Stored> byName = new LinkedHashMap<>();
            objects.forEach(object -> byName.put(object.name(), object));
            return sessions.aliveAmong(errand, objects).thenApply(alive -> {
                Map<ElectionName, Reading> readings = new LinkedHashMap<>();
                for (ElectionName election : asked) {
                    Optional<Stored> found = Optional.ofNullable(byName.get(Names.of(election)));
                    Optional<Reading> reading =
                            found.map(one -> Understood.of(election, one).reading(alive));
                    readings.put(election, reading.orElseGet(Reading.Absent::new));
                }
                return readings;
            });
        });
    }

    CompletableFuture<Swap> swap(Errand<?> errand, ElectionName election, Revision expected, LeaderRecord next) {
        boolean isFirst = expected.equals(Revision.ABSENT);
        Ask ask = isFirst ? creation(election, next) : change(election, expected, next);
        return errand.ask(ask).thenCompose(answer -> {
            if (answer.isGood()) {
                written.accept(answer.object().position());
                return CompletableFuture.completedFuture(new Swap.Accepted(new Revision(next.nonce())));
            }
            if (!isFirst && answer.isAbsent()) {
                return CompletableFuture.completedFuture(new Swap.Refused(Optional.empty()));
            }
            if (answer.code() == (isFirst ? Answer.CONFLICT : Answer.UNPROCESSABLE)) {
                return refusal(errand, election, expected, next, failures.ofAnswer(ask, answer));
            }
            throw failures.ofAnswer(ask, answer);
        });
    }

    private Ask creation(ElectionName election, LeaderRecord next) {
        Map<String, Object> annotations = Map.of(
                Stored.ELECTION, election.value(), Stored.NONCE, next.nonce(), Stored.RECORD, RecordJson.write(next));
        return leases.create(
                Kind.ELECTION,
                Names.of(election),
                Map.of(Stored.ELECTION, Names.label(election)),
                annotations,
                spec(next));
    }

    private Ask change(ElectionName election, Revision expected, LeaderRecord next) {
        return leases.patch(
                Names.of(election),
                List.of(
                        Leases.testAnnotation(Stored.ELECTION, election.value()),
                        Leases.testAnnotation(Stored.NONCE, expected.value()),
                        Leases.setAnnotation(Stored.NONCE, next.nonce()),
                        Leases.setAnnotation(Stored.RECORD, RecordJson.write(next)),
                        Leases.set("/spec", spec(next))));
    }

    /** What kubectl's users look for. Nothing is decided by it. */
    private Map<String, Object> spec(LeaderRecord record) {
        Map<String, Object> spec = new LinkedHashMap<>();
        record.leader().ifPresent(leader -> {
            spec.put("holderIdentity", leader.id().value());
            spec.put("leaseDurationSeconds", Math.min(Integer.MAX_VALUE, Leases.seconds(record.leaseLength())));
            spec.put("acquireTime", Leases.time(record.since()));
        });
        spec.put("renewTime", Leases.time(Instant.ofEpochMilli(timeline.wallMillis())));
        spec.put("leaseTransitions", Math.min(Integer.MAX_VALUE, record.term()));
        return spec;
    }

    /** What stands there instead; an earlier sending of this very swap, perhaps. */
    private CompletableFuture<Swap> refusal(
            Errand<?> errand, ElectionName election, Revision expected, LeaderRecord next, CoordinatorException why) {
        return find(errand, election).thenCompose(found -> {
            String nonce = found.flatMap(one -> one.annotation(Stored.NONCE)).orElse("");
            if (nonce.equals(next.nonce())) {
                return CompletableFuture.completedFuture(new Swap.Accepted(new Revision(nonce)));
            }
            if (found.isPresent() && !found.get().isOf(Kind.ELECTION)) {
                throw new CoordinatorUnusableException(Understood.foreign(found.get()));
            }
            if (!nonce.isEmpty() && nonce.equals(expected.value())) {
                throw why;
            }
            return readOne(errand, election)
                    .thenApply(reading -> new Swap.Refused(
                            reading instanceof Reading.Found it ? Optional.of(it.record()) : Optional.empty()));
        });
    }

    CompletableFuture<List<ElectionName>> names(Errand<?> errand, String prefix) {
        return list(errand, Stored.KIND + " in (election,candidate)").thenApply(objects -> {
            Set<ElectionName> names = new TreeSet<>();
            for (Stored object : objects) {
                object.annotation(Stored.ELECTION)
                        .filter(name -> prefix.isEmpty() || name.equals(prefix) || name.startsWith(prefix + "/"))
                        .flatMap(ElectionName::ifLegal)
                        .ifPresent(names::add);
            }
            return List.copyOf(names);
        });
    }

    private CompletableFuture<Optional<Stored>> find(Errand<?> errand, ElectionName election) {
        Ask get = leases.get(Names.of(election));
        return errand.ask(get).thenApply(answer -> {
            if (!answer.isGood() && !answer.isAbsent()) {
                throw failures.ofAnswer(get, answer);
            }
            return answer.isGood() ? Optional.of(answer.object()) : Optional.empty();
        });
    }

    private CompletableFuture<List<Stored>> list(Errand<?> errand, String selector) {
        Ask list = leases.list(selector);
        return errand.ask(list).thenApply(answer -> {
            if (!answer.isGood()) {
                throw failures.ofAnswer(list, answer);
            }
            return answer.items();
        });
    }

    /**
     * What an object says of an election.
     *
     * @param record none where it cannot be understood; {@code whyNot} says why
     */
    record Understood(Optional<LeaderRecord> record, Revision revision, String whyNot) {
        static Understood of(ElectionName election, Stored object) {
            Revision revision = new Revision(object.annotation(Stored.NONCE)
                    .orElseGet(() -> "foreign-" + object.uid() + "-" + object.position()));
            if (!object.isOf(Kind.ELECTION)) {
                return new Understood(Optional.empty(), revision, foreign(object));
            }
            String name = object.annotation(Stored.ELECTION).orElse("");
            if (!name.equals(election.value())) {
                return new Understood(
                        Optional.empty(),
                        revision,
                        "the Lease " + object.name() + " is of the election '" + name + "', not of " + election);
            }
            try {
                return consistent(
                        RecordJson.read(object.annotation(Stored.RECORD).orElse("")), revision, object);
            } catch (dev.incumbent.coordinator.UnreadableRecordException e) {
                return new Understood(
                        Optional.empty(), revision, "the Lease " + object.name() + " has an " + e.getMessage());
            }
        }

        private static Understood consistent(LeaderRecord record, Revision revision, Stored object) {
            String leader =
                    record.leader().map(Candidate::id).map(CandidateId::value).orElse("");
            if (!record.nonce().equals(revision.value())) {
                return new Understood(
                        Optional.empty(),
                        revision,
                        "the Lease " + object.name() + " was edited: its record bears the nonce '" + record.nonce()
                                + "', its annotation '" + revision + "'");
            }
            if (!object.holder().equals(leader)) {
                return new Understood(
                        Optional.empty(),
                        revision,
                        "the Lease " + object.name() + " is held by '" + object.holder()
                                + "', and its record names '" + leader
                                + "': somebody else elects on it, or it was edited; end that one, and set holderIdentity back");
            }
            return new Understood(Optional.of(record), revision, "");
        }

        static String foreign(Stored object) {
            return "the Lease " + object.name() + " is not Incumbent's (held by '" + object.holder()
                    + "', without the label " + Stored.KIND
                    + "): name the election otherwise, or use another namespace";
        }

        Reading reading(Set<LeaseId> alive) {
            return record.isEmpty()
                    ? new Reading.Foreign(revision, whyNot)
                    : new Reading.Found(observed(record.get(), alive));
        }

        ObservedRecord observed(LeaderRecord of, Set<LeaseId> alive) {
            return new ObservedRecord(
                    of, revision, of.lease().filter(alive::contains).isPresent(), Optional.empty());
        }
    }
}
