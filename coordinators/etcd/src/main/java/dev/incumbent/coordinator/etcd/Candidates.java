package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.KeyValue;
import dev.incumbent.etcd.Txn;
import dev.incumbent.etcd.TxnReply;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The candidates: a key each, on their lease, in the order in which the keys were created. */
final class Candidates {
    private final EtcdClient client;
    private final Keys keys;

    Candidates(EtcdClient client, Keys keys) {
        this.client = client;
        this.keys = keys;
    }

    /** Refused under a dead lease: the lease's key and the candidate's are judged in one step. */
    CompletionStage<Boolean> enlist(ElectionName election, Enlisted candidate) {
        if (!Leases.isOurs(candidate.lease())) {
            return CompletableFuture.failedFuture(Leases.lost(candidate.lease()));
        }
        String key = keys.candidate(election, candidate.candidate().id());
        Txn txn = new Txn()
                .ifPresent(keys.lease(candidate.lease()))
                .put(key, RecordJson.write(candidate), Leases.number(candidate.lease()))
                .apartFrom(keys.candidates(election));
        return client.txn(txn).thenApply(reply -> {
            if (!reply.succeeded()) {
                throw Leases.lost(candidate.lease());
            }
            return true;
        });
    }

    CompletionStage<Boolean> withdraw(ElectionName election, CandidateId candidate) {
        return client.txn(new Txn().delete(keys.candidate(election, candidate))).thenApply(reply -> true);
    }

    CompletionStage<Map<ElectionName, List<Enlisted>>> list(Set<ElectionName> elections) {
        CompletionStage<Map<ElectionName, List<Enlisted>>> all = CompletableFuture.completedFuture(new HashMap<>());
        for (List<ElectionName> chunk : Records.chunks(elections)) {
            Txn gets = new Txn();
            chunk.forEach(election -> gets.getAll(keys.candidates(election)));
            all = all.thenCombine(client.txn(gets), (lists, reply) -> {
                for (int i = 0; i < chunk.size(); i++) {
                    lists.put(chunk.get(i), standing(reply, i));
                }
                return lists;
            });
        }
        return all;
    }

    private static List<Enlisted> standing(TxnReply reply, int operation) {
        List<Enlisted> standing = new ArrayList<>();
        for (KeyValue stored : reply.found(operation)) {
            understood(stored).ifPresent(standing::add);
        }
        return standing;
    }

    /** What a later version wrote may not be. */
    private static Optional<Enlisted> understood(KeyValue stored) {
        try {
            return Optional.of(RecordJson.readEnlisted(stored.value()));
        } catch (UnreadableRecordException e) {
            return Optional.empty();
        }
    }

    /** The elections with a record or a candidate, by name or beneath it. */
    CompletionStage<List<ElectionName>> elections(String prefix) {
        Txn gets = new Txn();
        if (prefix.isEmpty()) {
            gets.getKeys(keys.records()).getKeys(keys.candidates());
        } else {
            gets.get(keys.records() + prefix)
                    .getKeys(keys.records() + prefix + "/")
                    .getKeys(keys.candidates() + prefix + ":")
                    .getKeys(keys.candidates() + prefix + "/");
        }
        return client.txn(gets).thenApply(reply -> {
            Set<ElectionName> names = new TreeSet<>();
            for (int i = 0; i < reply.answers().size(); i++) {
                reply.found(i).stream()
                        .flatMap(stored -> ElectionName.ifLegal(keys.electionOf(stored.key())).stream())
                        .forEach(names::add);
            }
            return List.copyOf(names);
        });
    }
}
