package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A client that lives in another process. */
final class RemoteCoordinator implements Coordinator {
    private final ClientProcess process;
    private final String name;

    RemoteCoordinator(ClientProcess process, String name) {
        this.process = process;
        this.name = name;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return process.call(name, "grant", owner, timeToLive).thenApply(answer -> {
            List<String> words = Wire.words(answer);
            return new GrantedLease(new LeaseId(words.get(0)), Duration.parse(words.get(1)));
        });
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return process.call(name, "keepAlive", lease).thenAccept(answer -> {});
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return process.call(name, "revoke", lease).thenAccept(answer -> {});
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return process.call(name, "read", elections.toArray()).thenApply(answer -> map(answer, Wire::reading));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return process.call(name, "swap", election, expected.value(), RecordJson.write(next))
                .thenApply(Wire::swap);
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        String[] id = {""};
        Watching watching = new Watching(election, watcher, closed -> process.unwatch(id[0]));
        id[0] = process.watch(
                name,
                election.value(),
                words -> watching.tell(told -> {
                    switch (words.get(0)) {
                        case "changed" -> told.changed(Wire.observed(words.get(1)));
                        case "gap" -> told.gap();
                        default -> told.currentAsOf(Long.parseLong(words.get(1)));
                    }
                }));
        return watching;
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return process.call(name, "enlist", election, RecordJson.write(candidate))
                .thenAccept(answer -> {});
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return process.call(name, "withdraw", election, candidate).thenAccept(answer -> {});
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return process.call(name, "candidates", elections.toArray())
                .thenApply(answer -> map(
                        answer,
                        list -> list(list).stream().map(Unchecked::enlisted).toList()));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return process.call(name, "elections", prefix)
                .thenApply(
                        answer -> list(answer).stream().map(ElectionName::new).toList());
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public Capabilities capabilities() {
        return SqliteCoordinator.CAPABILITIES;
    }

    @Override
    public void close() {
        process.call(name, "close").join();
    }

    private static List<String> list(String line) {
        return line.isEmpty() ? List.of() : Wire.words(line);
    }

    private static <V> Map<ElectionName, V> map(String line, Function<String, V> value) {
        Map<ElectionName, V> map = new HashMap<>();
        for (String entry : list(line)) {
            List<String> words = Wire.words(entry);
            map.put(new ElectionName(words.get(0)), value.apply(words.get(1)));
        }
        return map;
    }
}
