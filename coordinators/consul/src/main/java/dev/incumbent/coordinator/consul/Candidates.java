package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Txn;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Candidates: each a key that its lease's session locks, and that is deleted with it. They stand in the order of their creation, which an update keeps. */
final class Candidates {
    private static final List<String> DEATHS =
            List.of("failed to check session", "failed session check", "invalid session");

    private final ConsulClient store;
    private final Keys keys;
    private final Leases leases;

    Candidates(ConsulClient store, Keys keys, Leases leases) {
        this.store = store;
        this.keys = keys;
        this.leases = leases;
    }

    CompletionStage<Void> enlist(ElectionName election, Enlisted enlisted, long deadline) {
        LeaseId lease = enlisted.lease();
        if (!leases.mayBeHeld(lease)) {
            return CompletableFuture.failedStage(lost(lease, "Consul has no such session"));
        }
        String key = keys.candidate(election, enlisted.candidate().id());
        return enlist(key, enlisted, Optional.empty(), deadline)
                .thenCompose(outcome -> isHeld(outcome)
                        ? holder(key, deadline).thenCompose(holder -> enlist(key, enlisted, holder, deadline))
                        : CompletableFuture.completedStage(outcome))
                .thenAccept(outcome -> requireEnlisted(lease, key, outcome));
    }

    private static boolean isHeld(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.says("lock is already held");
    }

    /** The key stays, and with it its place in the order, where it goes from another lease of the candidate's to this one. */
    private CompletionStage<Outcome> enlist(String key, Enlisted enlisted, Optional<String> holder, long deadline) {
        LeaseId lease = enlisted.lease();
        Txn txn = new Txn().checkSession(keys.lease(lease), lease.value());
        holder.ifPresent(session -> txn.unlock(key, session));
        return store.apply(txn.lock(key, lease.value(), RecordJson.write(enlisted)), "writing " + key, deadline);
    }

    private CompletionStage<Optional<String>> holder(String key, long deadline) {
        return store.read(new Txn().getTree(key), "reading " + key, deadline)
                .thenApply(entries -> entries.stream()
                        .filter(entry -> entry.key().equals(key))
                        .findFirst()
                        .flatMap(Entry::session));
    }

    private void requireEnlisted(LeaseId lease, String key, Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused) {
            if (DEATHS.stream().anyMatch(refused::says)) {
                throw lost(lease, refused.why().toString());
            }
            throw new CoordinatorException("writing " + key + " was refused: " + refused.why(), false);
        }
    }

    private LeaseLostException lost(LeaseId lease, String why) {
        leases.hasEnded(lease);
        return new LeaseLostException(lease, why);
    }

    CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate, long deadline) {
        String key = keys.candidate(election, candidate);
        return store.apply(new Txn().delete(key), "deleting " + key, deadline).thenAccept(outcome -> {});
    }

    CompletionStage<Map<ElectionName, List<Enlisted>>> list(Set<ElectionName> elections, long deadline) {
        return Parts.joined(Parts.of(elections), part -> listPart(part, deadline), (election, failure) -> {
            throw failure;
        });
    }

    private CompletionStage<Map<ElectionName, List<Enlisted>>> listPart(List<ElectionName> part, long deadline) {
        Txn txn = new Txn();
        part.forEach(election -> txn.getTree(keys.candidates(election)));
        return store.read(txn, "reading " + keys.candidates(part.get(0)) + Parts.more(part), deadline)
                .thenCompose(entries -> {
                    Map<ElectionName, List<Enlisted>> lists = inOrder(part, entries);
                    CompletionStage<Map<ElectionName, List<Enlisted>>> confirmed =
                            CompletableFuture.completedStage(lists);
                    for (ElectionName election : part) {
                        boolean isEmpty =
                                lists.getOrDefault(election, List.of()).isEmpty();
                        confirmed = isEmpty
                                ? confirmed.thenCombine(
                                        store.find(keys.candidates(election), deadline), (same, allowed) -> same)
                                : confirmed;
                    }
                    return confirmed;
                });
    }

    private Map<ElectionName, List<Enlisted>> inOrder(List<ElectionName> part, List<Entry> entries) {
        Map<ElectionName, List<Enlisted>> lists = new HashMap<>();
        part.forEach(election -> lists.put(election, new ArrayList<>()));
        entries.stream()
                .filter(entry -> entry.session().isPresent())
                .sorted(Comparator.comparingLong(Entry::createIndex))
                .forEach(entry -> keys.electionOf(entry.key())
                        .ifPresent(election -> candidate(entry)
                                .ifPresent(one -> lists.computeIfAbsent(election, it -> new ArrayList<>())
                                        .add(one))));
        return lists;
    }

    /** None for a candidate of a later version: it stands, but not for anybody who cannot read what it brings. */
    private static Optional<Enlisted> candidate(Entry entry) {
        try {
            return Optional.of(RecordJson.readEnlisted(entry.value()));
        } catch (UnreadableRecordException e) {
            return Optional.empty();
        }
    }
}
