package dev.incumbent.acceptance;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several trials side by side, by their names. One of which nothing is wrong but that something came late is run once more, alone, after all the others: the machine may have been too busy for it. A wrong result never is.
 */
final class Trials {
    private final PrintStream out;
    private int passed;
    private int failed;

    private record Ended(String name, Attempts trial, List<Claim> claims) {}

    Trials(PrintStream out) {
        this.out = out;
    }

    /** A trial, which may be asked for a second time; the first attempt is 1. */
    interface Attempts {
        List<Claim> run(int attempt) throws Exception;
    }

    /** Runs them all to their ends, then prints a line a claim, and last {@code N passed, N failed}; true where none failed. */
    static boolean hold(Map<String, Attempts> trials) throws InterruptedException {
        return new Trials(System.out).judge(trials);
    }

    boolean judge(Map<String, Attempts> trials) throws InterruptedException {
        for (Ended one : run(trials, 1)) {
            List<Claim> claims = one.claims();
            if (isOnlyLate(claims)) {
                out.println("late, run once more alone: " + one.name());
                claims.forEach(claim -> claim.print(one.name() + ", first", out));
                claims = run(Map.of(one.name(), one.trial()), 2).get(0).claims();
            }
            count(one.name(), claims);
        }
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0;
    }

    private static boolean isOnlyLate(List<Claim> claims) {
        List<Claim> broken = claims.stream().filter(claim -> !claim.holds()).toList();
        return !broken.isEmpty() && broken.stream().allMatch(Claim::isOfTime);
    }

    private void count(String name, List<Claim> claims) {
        for (Claim claim : claims) {
            claim.print(name, out);
            passed += claim.holds() ? 1 : 0;
            failed += claim.holds() ? 0 : 1;
        }
    }

    private static List<Ended> run(Map<String, Attempts> trials, int attempt) throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Map<Map.Entry<String, Attempts>, Future<List<Claim>>> running = new LinkedHashMap<>();
            for (var one : trials.entrySet()) {
                running.put(one, threads.submit(() -> one.getValue().run(attempt)));
            }
            List<Ended> ended = new ArrayList<>();
            for (var one : running.entrySet()) {
                ended.add(new Ended(one.getKey().getKey(), one.getKey().getValue(), claims(one.getValue())));
            }
            return ended;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Claim> claims(Future<List<Claim>> trial) throws InterruptedException {
        try {
            return trial.get();
        } catch (ExecutionException e) {
            return List.of(Claim.of("it runs to its end", false, String.valueOf(e.getCause())));
        }
    }
}
