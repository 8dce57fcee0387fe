package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays {@code incumbent demo} on every coordinator named, or on all, each time with a PostgreSQL behind its fence as the ledger. Prints a line for each; the last line is
 * {@code N passed, N failed}. One passes if the demo exits 0, refused at least one late write and has none out of order.
 */
public final class DemoEverywhere {
    private static final int AT_ONCE = 2;

    private final PostgresServer ledger;
    private final TemporaryFolder folder;

    private DemoEverywhere(PostgresServer ledger, TemporaryFolder folder) {
        this.ledger = ledger;
        this.folder = folder;
    }

    public static void main(String[] names) throws Exception {
        int passed = 0;
        int failed = 0;
        ExecutorService players = Executors.newFixedThreadPool(AT_ONCE);
        try (TemporaryFolder folder = TemporaryFolder.create("demo");
                PostgresServer ledger = PostgresServer.start()) {
            DemoEverywhere demos = new DemoEverywhere(ledger, folder);
            List<Future<Boolean>> played = new ArrayList<>();
            for (Store store : Stores.named(List.of(names))) {
                played.add(players.submit(() -> demos.plays(store)));
            }
            for (Future<Boolean> one : played) {
                if (one.get()) {
                    passed++;
                } else {
                    failed++;
                }
            }
        } finally {
            players.shutdown();
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private boolean plays(Store store) {
        try (Running running = store.begin().call()) {
            Played played = play(store.name(), running.uri());
            if (played.isLate()) {
                System.out.println("LATE    the demo on " + store.name() + ", played once more: " + played.errors());
                played = play(store.name() + "-again", running.uri());
            }
            System.out.println((played.holds() ? "ok      " : "NOT SO  ") + "the demo on " + store.name() + ": exit "
                    + played.code() + " " + played.said() + (played.holds() ? "" : "\n" + played.errors()));
            return played.holds();
        } catch (Exception e) {
            System.out.println("NOT SO  the demo on " + store.name() + ": " + e);
            return false;
        }
    }

    private Played play(String name, String coordinator) throws Exception {
        Path errors = folder.resolve(name + ".err");
        Process demo = JavaChild.start(
                errors.toFile(),
                "dev.incumbent.cli.Main",
                List.of("demo", "--at", coordinator, "--sink", ledger.jdbcUrl(), "-o", "json"));
        String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Played(demo.waitFor(), said.strip(), Files.readString(errors).strip());
    }

    /** What came of a demo. A busy machine may end one before it has a verdict: that one is late. One with a verdict never is. */
    private record Played(int code, String said, String errors) {
        private static final int EX_UNAVAILABLE = 69;
        private static final Pattern LATE = Pattern.compile(
                "in vain until|never enlisted|transfer ended otherwise|did not answer in time|within (the|its) request timeout");

        boolean holds() {
            return code == 0 && number(said, "refused") >= 1 && number(said, "outOfOrder") == 0;
        }

        boolean isLate() {
            return (code == 1 || code == EX_UNAVAILABLE)
                    && said.isEmpty()
                    && LATE.matcher(errors).find();
        }
    }

    private static long number(String json, String key) {
        Matcher found = Pattern.compile("\"" + key + "\":(\\d+)").matcher(json);
        return found.find() ? Long.parseLong(found.group(1)) : -1;
    }
}
