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
        Path errors = folder.resolve(store.name() + ".err");
        try (Running running = store.begin().call()) {
            Process demo = JavaChild.start(
                    errors.toFile(),
                    "dev.incumbent.cli.Main",
                    List.of("demo", "--at", running.uri(), "--sink", ledger.jdbcUrl(), "-o", "json"));
            String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = demo.waitFor();
            boolean held = code == 0 && number(said, "refused") >= 1 && number(said, "outOfOrder") == 0;
            System.out.println((held ? "ok      " : "NOT SO  ") + "the demo on " + store.name() + ": exit " + code + " "
                    + said.strip() + (held ? "" : "\n" + Files.readString(errors)));
            return held;
        } catch (Exception e) {
            System.out.println("NOT SO  the demo on " + store.name() + ": " + e);
            return false;
        }
    }

    private static long number(String json, String key) {
        Matcher found = Pattern.compile("\"" + key + "\":(\\d+)").matcher(json);
        return found.find() ? Long.parseLong(found.group(1)) : -1;
    }
}
