package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The main class of another process with clients: each line it reads asks one call of one of them. */
final class OtherProcess {
    private final SteppedTimeline clock = new SteppedTimeline(new SystemTimeline());
    private final Map<String, Coordinator> clients = new HashMap<>();
    private final Map<String, Watch> watches = new HashMap<>();
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private Optional<Connection> locked = Optional.empty();

    private OtherProcess() {}

    public static void main(String[] arguments) throws Exception {
        new OtherProcess().serve();
    }

    private void serve() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            List<String> words = Wire.words(line);
            String id = words.get(0);
            CompletionStage<String> answer;
            try {
                answer = perform(words.get(1), words.get(2), words.subList(3, words.size()));
            } catch (RuntimeException e) {
                answer = CompletableFuture.failedStage(e);
            }
            answer.whenComplete((value, failure) -> tell(
                    id,
                    failure == null
                            ? Wire.line("ok", value)
                            : Wire.failure(
                                    failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                            ? wrapped.getCause()
                                            : failure)));
        }
    }

    private CompletionStage<String> perform(String name, String verb, List<String> words) {
        switch (verb) {
            case "open" -> {
                return done(() -> clients.put(name, open(words)));
            }
            case "step" -> {
                return done(() -> clock.step(Duration.parse(words.get(0))));
            }
            case "lock" -> {
                return done(() -> lock(words.get(0)));
            }
            case "unwatch" -> {
                return done(
                        () -> Optional.ofNullable(watches.remove(words.get(0))).ifPresent(Watch::close));
            }
            default -> {
                return call(Optional.ofNullable(clients.get(name)).orElseThrow(), verb, words);
            }
        }
    }

    private CompletionStage<String> call(Coordinator client, String verb, List<String> words) {
        return switch (verb) {
            case "grant" ->
                client.grant(new CandidateId(words.get(0)), Duration.parse(words.get(1)))
                        .thenApply(lease -> Wire.line(lease.id(), lease.timeToLive()));
            case "keepAlive" -> client.keepAlive(new LeaseId(words.get(0))).thenApply(done -> "");
            case "revoke" -> client.revoke(new LeaseId(words.get(0))).thenApply(done -> "");
            case "read" -> client.read(names(words)).thenApply(map -> map(map, Wire::reading));
            case "swap" ->
                client.swap(election(words), new Revision(words.get(1)), Unchecked.record(words.get(2)))
                        .thenApply(Wire::swap);
            case "enlist" ->
                client.enlist(election(words), Unchecked.enlisted(words.get(1))).thenApply(done -> "");
            case "withdraw" ->
                client.withdraw(election(words), new CandidateId(words.get(1))).thenApply(done -> "");
            case "candidates" ->
                client.candidates(names(words))
                        .thenApply(map -> map(
                                map,
                                list -> Wire.line(
                                        list.stream().map(RecordJson::write).toArray())));
            case "elections" -> client.elections(words.get(0)).thenApply(list -> Wire.line(list.toArray()));
            case "watch" ->
                done(() -> watches.put(words.get(1), client.watch(election(words), new Telling(words.get(1)))));
            case "close" -> done(client::close);
            default -> throw new IllegalArgumentException(verb);
        };
    }

    /** Takes the write lock, and keeps it. */
    private void lock(String file) {
        try {
            locked = Optional.of(DriverManager.getConnection("jdbc:sqlite:" + file));
            try (Statement statement = locked.get().createStatement()) {
                statement.execute("begin immediate");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Coordinator open(List<String> words) {
        Duration requestTimeout = Duration.parse(words.get(1));
        return SqliteCoordinator.open(
                new SqliteStore(Path.of(words.get(0)), Mode.CREATE, requestTimeout.dividedBy(2), FileSystems::typeOf),
                new SqliteLane.Clocks(clock, Boot.current(), requestTimeout));
    }

    private static CompletionStage<String> done(Runnable action) {
        action.run();
        return CompletableFuture.completedStage("");
    }

    private static ElectionName election(List<String> words) {
        return new ElectionName(words.get(0));
    }

    private static Set<ElectionName> names(List<String> words) {
        return words.stream().map(ElectionName::new).collect(Collectors.toSet());
    }

    private static <V> String map(Map<ElectionName, V> map, Function<V, String> value) {
        return Wire.line(map.entrySet().stream()
                .map(entry -> Wire.line(entry.getKey(), value.apply(entry.getValue())))
                .toArray());
    }

    private void tell(String id, String what) {
        synchronized (out) {
            out.println(Wire.line(id, what));
        }
    }

    /** Passes on what it hears. */
    private final class Telling implements Watcher {
        private final String id;

        Telling(String id) {
            this.id = id;
        }

        @Override
        public void changed(ObservedRecord record) {
            tell(id, Wire.line("changed", Wire.observed(record)));
        }

        @Override
        public void gap() {
            tell(id, Wire.line("gap"));
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            tell(id, Wire.line("current", sentAtNanos));
        }
    }
}
