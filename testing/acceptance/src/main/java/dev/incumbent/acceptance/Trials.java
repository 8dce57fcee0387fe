package dev.incumbent.acceptance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several trials side by side, by their names. */
final class Trials {
    private Trials() {}

    /** Runs them all to their ends, then prints a line a claim, and last {@code N passed, N failed}; true where none failed. */
    static boolean hold(Map<String, Callable<List<Claim>>> trials) throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        int passed = 0;
        int failed = 0;
        try {
            Map<String, Future<List<Claim>>> running = new LinkedHashMap<>();
            trials.forEach((name, trial) -> running.put(name, threads.submit(trial)));
            for (var one : running.entrySet()) {
                for (Claim claim : claims(one.getValue())) {
                    claim.print(one.getKey());
                    passed += claim.holds() ? 1 : 0;
                    failed += claim.holds() ? 0 : 1;
                }
            }
        } finally {
            threads.shutdownNow();
        }
        System.out.println(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0;
    }

    private static List<Claim> claims(Future<List<Claim>> trial) throws InterruptedException {
        try {
            return trial.get();
        } catch (ExecutionException e) {
            return List.of(Claim.of("it runs to its end", false, String.valueOf(e.getCause())));
        }
    }
}
