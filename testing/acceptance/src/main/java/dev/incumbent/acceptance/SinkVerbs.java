package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays {@code incumbent fence install|raise|status} on every sink named, or on all, each on its real server and by its URL alone: a mark is raised, seen, and not lowered.
 * Prints a line for each sink; the last line is {@code N passed, N failed}. A service behind HTTP fences itself by its filter and is not among them.
 */
public final class SinkVerbs {
    private static final String OFFICE = "verbs/office";

    private final TemporaryFolder folder;

    private SinkVerbs(TemporaryFolder folder) {
        this.folder = folder;
    }

    public static void main(String[] names) throws Exception {
        int passed = 0;
        int failed = 0;
        try (TemporaryFolder folder = TemporaryFolder.create("sinks")) {
            SinkVerbs verbs = new SinkVerbs(folder);
            for (Store sink : verbs.sinks(List.of(names))) {
                if (verbs.hold(sink)) {
                    passed++;
                } else {
                    failed++;
                }
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private List<Store> sinks(List<String> names) {
        List<Store> all = new ArrayList<>(List.of(
                at("sqlite", "sqlite:" + folder.resolve("ledger.db")),
                at("h2", "jdbc:h2:file:" + folder.resolve("ledger")),
                at("file", "filefence:" + folder.resolve("ledger.txt"))));
        all.addAll(Stores.named(List.of("postgresql", "mariadb", "redis", "etcd", "zookeeper", "consul", "dynamodb")));
        if (MySqlServer.isInstalled()) {
            all.addAll(Stores.named(List.of("mysql")));
        } else {
            System.out.println("MYSQL IS MISSING, SO IT IS LEFT OUT");
        }
        return all.stream()
                .filter(sink -> names.isEmpty() || names.contains(sink.name()))
                .toList();
    }

    private static Store at(String name, String url) {
        return new Store(name, () -> new Running(url, List.of()));
    }

    private boolean hold(Store sink) {
        try (Running running = sink.begin().call()) {
            says(running, 0, "", "install");
            says(running, 0, "", "raise", OFFICE, "--token", "7");
            says(running, 0, "", "install");
            says(running, ExitCodes.SINK, "", "raise", OFFICE, "--token", "6");
            says(running, 0, "\"election\":\"" + OFFICE + "\",\"token\":7", "status", "-o", "json");
            System.out.println("ok      fence install, raise, status on " + sink.name());
            return true;
        } catch (Exception e) {
            System.out.println("NOT SO  the verbs of fence on " + sink.name() + ": " + e.getMessage());
            return false;
        }
    }

    private void says(Running sink, int code, String words, String... verb) throws IOException, InterruptedException {
        Path errors = Files.createTempFile(folder.path(), "verb", ".err");
        List<String> line = new ArrayList<>(List.of("fence"));
        line.addAll(List.of(verb));
        line.addAll(List.of("--sink", sink.uri()));
        Process process = JavaChild.start(errors.toFile(), "dev.incumbent.cli.Main", line);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int left = process.waitFor();
        if (left != code || !said.contains(words)) {
            throw new IllegalStateException(
                    String.join(" ", verb) + " left with " + left + " and said " + said + Files.readString(errors));
        }
    }
}
