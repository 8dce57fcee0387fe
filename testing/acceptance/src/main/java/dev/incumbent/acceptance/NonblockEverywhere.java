package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.servers.TemporaryFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Lets a leader die on every coordinator named, or on the embedded file, etcd and PostgreSQL, under a job that {@code run -n} starts again and again, as cron
 * does. Prints a line for each claim; the last line is {@code N passed, N failed}.
 */
public final class NonblockEverywhere {
    private static final List<String> USUAL = List.of("file", "etcd", "postgresql");

    private NonblockEverywhere() {}

    public static void main(String[] names) throws Exception {
        int passed = 0;
        int failed = 0;
        for (Store store : Stores.named(names.length == 0 ? USUAL : List.of(names))) {
            for (Claim claim : claims(store)) {
                claim.print(store.name(), System.out);
                if (claim.holds()) {
                    passed++;
                } else {
                    failed++;
                }
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    /** All deaths side by side, each in an election of its own. */
    private static List<Claim> claims(Store store) throws Exception {
        ExecutorService scenes = Executors.newCachedThreadPool();
        try (TemporaryFolder folder = TemporaryFolder.create("nonblock");
                Running running = store.begin().call()) {
            List<Future<List<Claim>>> played = new ArrayList<>();
            for (CronScene.Death death : CronScene.Death.values()) {
                CronScene scene = new CronScene(
                        running.uri(), death, folder.resolve(death.name()).toFile());
                played.add(scenes.submit(scene::claims));
            }
            List<Claim> claims = new ArrayList<>();
            for (Future<List<Claim>> one : played) {
                claims.addAll(one.get());
            }
            return claims;
        } finally {
            scenes.shutdown();
        }
    }
}
