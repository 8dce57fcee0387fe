package dev.incumbent.supervisor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long it takes from KILL until nothing is left of a command with many descendants, each in a session of its own, and what part of the
 * reserve that is: by the supervisor, in a control group where there can be one, and by hand where the supervisor is frozen. Run by
 * {@code benchmarks/kill-to-gone}.
 */
public final class KillToGoneBenchmark {
    private static final int RUNS = 3;
    private static final double RESERVE_MILLIS = LaunchSpec.KILL_RESERVE.toMillis();

    private static final String TREE = """
            import os, sys
            for i in range(int(sys.argv[1])):
                os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, setsid=True)
            open('up', 'w').close()
            os.wait()""";

    private KillToGoneBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        for (String count : arguments) {
            int descendants = Integer.parseInt(count);
            print(
                    descendants + " asleep",
                    "kill",
                    descendants,
                    sleeping -> killed("no", sleeping, "/bin/sleep", "1001"));
            print(
                    descendants + " asleep",
                    "kill, in a cgroup",
                    descendants,
                    sleeping -> killed("auto", sleeping, "/bin/sleep", "1001"));
            print(descendants + " asleep", "supervisor frozen, after killAt", descendants, KillToGoneBenchmark::frozen);
        }
        print("600 spinning", "kill", 600, spinning -> killed("no", spinning, "/bin/sh", "-c", "while :; do :; done"));
    }

    private interface Measure {
        /** In milliseconds. */
        double of(int descendants) throws Exception;
    }

    private static void print(String what, String how, int descendants, Measure measure) throws Exception {
        List<Double> millis = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            millis.add(measure.of(descendants));
        }
        millis.sort(null);
        double most = millis.get(RUNS - 1);
        System.out.printf(
                Locale.ROOT,
                "%-15s %-32s gone after median %.0f ms, most %.0f ms: %.2f of the reserve of %.0f ms%n",
                what,
                how,
                millis.get(RUNS / 2),
                most,
                most / RESERVE_MILLIS,
                RESERVE_MILLIS);
    }

    private static List<String> tree(int descendants, String... each) {
        List<String> command = new ArrayList<>(List.of("python3", "-c", TREE, "" + descendants));
        command.addAll(List.of(each));
        return command;
    }

    private static double killed(String cgroup, int descendants, String... each) throws Exception {
        Path folder = Files.createTempDirectory("kill-to-gone");
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            if (!cgroup.equals("no")) {
                supervisor.say("cgroup " + cgroup);
                supervisor.next();
            }
            supervisor.start(600_000, tree(descendants, each).toArray(String[]::new));
            awaitUp(folder);

            long began = System.nanoTime();
            supervisor.say("kill");
            supervisor.toTheEnd();
            return millisSince(began);
        } finally {
            Files.deleteIfExists(folder.resolve("up"));
            Files.delete(folder);
        }
    }

    private static void awaitUp(Path folder) {
        Await.until("all of them", () -> Files.exists(folder.resolve("up")));
        Await.pass(java.time.Duration.ofMillis(500));
    }

    private static double millisSince(long began) {
        return (System.nanoTime() - began) / 1e6;
    }

    /** Counted from killAt: what is left until the end of the validity is the reserve. */
    private static double frozen(int descendants) throws Exception {
        Path folder = Files.createTempDirectory("kill-to-gone");
        List<SupervisorEvent> events = new CopyOnWriteArrayList<>();
        List<String> command = new ArrayList<>(List.of("sh", "-c", "cd " + folder + "; exec \"$@\"", "sh"));
        command.addAll(tree(descendants, "/bin/sleep", "1001"));
        var spec = new LaunchSpec(
                TestFolder.binary(),
                RawCommand.of(command.toArray(String[]::new)),
                Map.of(),
                SignalRelay.TERM,
                Inherited.NOTHING);
        List<ProcessEntry> before = new ProcessEntry(ProcessHandle.current().pid()).children();
        try (Supervisor supervisor = Supervisor.launch(spec, System::nanoTime, events::add)) {
            vouch(supervisor, TimeUnit.MINUTES.toNanos(2));
            supervisor.start();
            awaitUp(folder);
            ProcessEntry program = new ProcessEntry(ProcessHandle.current().pid())
                    .children().stream()
                            .filter(child -> !before.contains(child))
                            .findFirst()
                            .orElseThrow();
            long killAt = vouch(supervisor, TimeUnit.SECONDS.toNanos(4));
            Await.pass(java.time.Duration.ofMillis(200));
            List<ProcessEntry> tree = program.descendants();
            WrapperProcess.signal(program, "STOP");
            Await.until("their end", () -> tree.stream().noneMatch(ProcessEntry::isAlive));
            return millisSince(killAt);
        } finally {
            Files.deleteIfExists(folder.resolve("up"));
            Files.delete(folder);
        }
    }

    private static long vouch(Supervisor supervisor, long nanos) {
        long now = System.nanoTime();
        supervisor.lease(now, now + nanos, now + nanos);
        return now + nanos;
    }
}
