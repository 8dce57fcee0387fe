package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Who stands, each one a Lease object. Its place is the position at which it was created, and is written down when it is first changed.
 * Kubernetes ends none with its session, so whoever lists removes those whose session is gone.
 */
final class Candidates {
    /** So many elections are asked for by their labels; more by one list of all. */
    private static final int FEW = 16;

    /** An entry may come and go under us; that often it is tried anew. */
    private static final int MOST_TRIES = 4;

    private final Leases leases;
    private final Sessions sessions;
    private final Failures failures;
    private final Mode mode;
    private final Consumer<Ask> sweeper;

    /** {@code sweeper} carries out what nobody waits for. */
    Candidates(Leases leases, Sessions sessions, Failures failures, Mode mode, Consumer<Ask> sweeper) {
        this.leases = leases;
        this.sessions = sessions;
        this.failures = failures;
        this.mode = mode;
        this.sweeper = sweeper;
    }

    /** An entry as it is stored. */
    private record Entry(Stored stored, ElectionName election, Enlisted enlisted) {
        long place() {
            return stored.annotation(Stored.PLACE).map(Stored::position).orElse(stored.position());
        }
    }

    CompletableFuture<Void> enlist(Errand<?> errand, ElectionName election, Enlisted candidate) {
        return sessions.isAlive(errand, candidate.lease()).thenCompose(isAlive -> {
            if (!isAlive) {
                throw new LeaseLostException(candidate.lease(), "it ended, was revoked, or was never granted");
            }
            return put(errand, election, candidate, MOST_TRIES);
        });
    }

    /** Creates the entry; where there is one, changes it in its place, unless its lease is dead: then it goes, and a new one comes at the end. */
    private CompletableFuture<Void> put(Errand<?> errand, ElectionName election, Enlisted candidate, int tries) {
        if (tries == 0) {
            throw new CoordinatorException(
                    "the entry of " + candidate.candidate().id() + " in " + election + " kept changing", true);
        }
        Ask create = creation(election, candidate);
        return errand.ask(create).thenCompose(answer -> {
            if (answer.isGood()) {
                return CompletableFuture.allOf();
            }
            if (answer.code() != Answer.CONFLICT) {
                throw failures.ofAnswer(create, answer);
            }
            return replace(errand, election, candidate)
                    .thenCompose(
                            isDone -> isDone ? CompletableFuture.allOf() : put(errand, election, candidate, tries - 1));
        });
    }

    private Ask creation(ElectionName election, Enlisted candidate) {
        return leases.create(
                Kind.CANDIDATE,
                Names.of(election, candidate.candidate().id()),
                Map.of(Stored.ELECTION, Names.label(election)),
                Map.of(Stored.ELECTION, election.value(), Stored.CANDIDATE, RecordJson.write(candidate)),
                Map.of("holderIdentity", candidate.candidate().id().value()));
    }

    /** False where it is gone, and has to be created. */
    private CompletableFuture<Boolean> replace(Errand<?> errand, ElectionName election, Enlisted candidate) {
        Ask get = leases.get(Names.of(election, candidate.candidate().id()));
        return errand.ask(get).thenCompose(answer -> {
            if (answer.isAbsent()) {
                return CompletableFuture.completedFuture(false);
            }
            if (!answer.isGood()) {
                throw failures.ofAnswer(get, answer);
            }
            Stored stored = answer.object();
            Entry entry = entry(stored)
                    .orElseThrow(
                            () -> new CoordinatorException("the Lease " + stored.name() + " is no candidate's", false));
            boolean keepsLease = entry.enlisted().lease().equals(candidate.lease());
            return (keepsLease
                            ? CompletableFuture.completedFuture(true)
                            : sessions.isAlive(errand, entry.enlisted().lease()))
                    .thenCompose(isAlive -> isAlive ? change(errand, entry, candidate) : remove(errand, entry));
        });
    }

    private CompletableFuture<Boolean> change(Errand<?> errand, Entry entry, Enlisted candidate) {
        Ask patch = leases.patch(
                entry.stored().name(),
                List.of(
                        Leases.testPosition(entry.stored()),
                        Leases.setAnnotation(Stored.PLACE, Long.toString(entry.place())),
                        Leases.setAnnotation(Stored.CANDIDATE, RecordJson.write(candidate))));
        return errand.ask(patch).thenApply(answer -> {
            boolean hasMoved =
                    answer.isAbsent() || answer.code() == Answer.UNPROCESSABLE || answer.code() == Answer.CONFLICT;
            if (!answer.isGood() && !hasMoved) {
                throw failures.ofAnswer(patch, answer);
            }
            return answer.isGood();
        });
    }

    private CompletableFuture<Boolean> remove(Errand<?> errand, Entry dead) {
        Ask delete = leases.delete(dead.stored());
        return errand.ask(delete).thenApply(answer -> {
            if (!answer.isGood() && !answer.isAbsent() && answer.code() != Answer.CONFLICT) {
                throw failures.ofAnswer(delete, answer);
            }
            return false;
        });
    }

    CompletableFuture<Void> withdraw(Errand<?> errand, ElectionName election, CandidateId candidate) {
        Ask delete = leases.delete(Names.of(election, candidate));
        return errand.ask(delete).thenAccept(answer -> {
            if (!answer.isGood() && !answer.isAbsent()) {
                throw failures.ofAnswer(delete, answer);
            }
        });
    }

    /** First the entries, then the sessions: one that is not there by then is dead. */
    CompletableFuture<Map<ElectionName, List<Enlisted>>> list(Errand<?> errand, Set<ElectionName> asked) {
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return objects(errand, selector(asked))
                .thenCompose(entries -> objects(errand, Leases.ofKind(Kind.SESSION))
                        .thenCompose(found -> sessions.aliveAmong(errand, found))
                        .thenApply(alive -> sorted(asked, entries, alive)));
    }

    private static String selector(Set<ElectionName> asked) {
        String candidates = Leases.ofKind(Kind.CANDIDATE);
        String labels = asked.stream().map(Names::label).collect(Collectors.joining(","));
        return asked.size() > FEW ? candidates : candidates + "," + Stored.ELECTION + " in (" + labels + ")";
    }

    private CompletableFuture<List<Stored>> objects(Errand<?> errand, String selector) {
        Ask list = leases.list(selector);
        return errand.ask(list).thenApply(answer -> {
            if (!answer.isGood()) {
                throw failures.ofAnswer(list, answer);
            }
            return answer.items();
        });
    }

    private Map<ElectionName, List<Enlisted>> sorted(Set<ElectionName> asked, List<Stored> found, Set<LeaseId> alive) {
        Map<ElectionName, List<Enlisted>> lists = new LinkedHashMap<>();
        asked.forEach(election -> lists.put(election, new ArrayList<>()));
        List<Entry> entries = found.stream()
                .flatMap(one -> entry(one).stream())
                .sorted(Comparator.comparingLong(Entry::place))
                .toList();
        for (Entry entry : entries) {
            if (!alive.contains(entry.enlisted().lease())) {
                sweep(entry);
            } else if (lists.containsKey(entry.election())) {
                lists.get(entry.election()).add(entry.enlisted());
            }
        }
        return lists;
    }

    private void sweep(Entry dead) {
        if (mode == Mode.CREATE) {
            sweeper.accept(leases.delete(dead.stored()));
        }
    }

    /** Empty for what cannot be understood: a later version's, or nobody's. */
    private static Optional<Entry> entry(Stored stored) {
        try {
            Optional<String> election = stored.annotation(Stored.ELECTION);
            Optional<String> text = stored.annotation(Stored.CANDIDATE);
            return election.isEmpty() || text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Entry(stored, new ElectionName(election.get()), RecordJson.readEnlisted(text.get())));
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
