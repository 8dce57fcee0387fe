package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.SinkProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five runs at once, while the leader's wrapper is killed or frozen and the leader's supervisor killed, at random. */
@Tag("realtime")
final class ContentionTest {
    private static final int RUNS = 5;
    private static final Duration LENGTH = Duration.ofSeconds(15);
    private static final long LEASE_MILLIS = 2500;

    /** Each line is one act of a token's: the lines' order is the order of acts. */
    private static final String ACT =
            "trap '' TERM; echo S $INCUMBENT_TOKEN $1 >> $0; while :; do echo A $INCUMBENT_TOKEN >> $0; sleep 0.02; done";

    @TempDir
    private Path folder;

    private final List<RunProcess> all = new ArrayList<>();

    @Test
    void atMostOneActsWhateverIsKilledOrFrozen() {
        Path acts = folder.resolve("acts");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        installSink();
        try {
            List<RunProcess> runs = new ArrayList<>();
            while (runs.size() < RUNS) {
                runs.add(start(acts));
            }
            RunProcess.await("a leader", () -> {
                runs.replaceAll(run -> run.isAlive() ? run : start(acts));
                return RunProcess.read(acts).lines().count() > 1;
            });

            long end = System.nanoTime() + LENGTH.toNanos();
            while (System.nanoTime() < end) {
                pass(1200 + random.nextInt(800));
                harm(leader(runs, acts), random);
                runs.replaceAll(run -> run.isAlive() ? run : start(acts));
            }
            runs.forEach(run -> run.signal("CONT"));
            runs.forEach(run -> run.signal("TERM"));
            runs.forEach(run -> run.signal("TERM"));
            runs.forEach(run -> run.exitCodeWithin(RunProcess.SLACK));

            assertThat(tokens(acts, "")).as("seed %d", seed).isSorted();
            assertThat(tokens(acts, "S"))
                    .as("seed %d", seed)
                    .doesNotHaveDuplicates()
                    .hasSizeGreaterThanOrEqualTo(3);
            assertThat(all).allSatisfy(run -> assertThat(run.started()).isEmpty());
        } finally {
            all.forEach(RunProcess::close);
        }
    }

    private RunProcess start(Path acts) {
        int number = all.size();
        RunProcess run = RunProcess.start(
                folder,
                "job",
                "--lease",
                LEASE_MILLIS + "ms",
                "--sink",
                sink(),
                "--",
                "sh",
                "-c",
                ACT,
                acts.toString(),
                Integer.toString(number));
        all.add(run);
        return run;
    }

    private String sink() {
        return "jdbc:sqlite:" + folder.resolve("ledger.db");
    }

    private void installSink() {
        ServiceLoader.load(SinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.opens(sink()))
                .findFirst()
                .orElseThrow()
                .install(sink());
    }

    private RunProcess leader(List<RunProcess> runs, Path acts) {
        List<String> starts = RunProcess.read(acts)
                .lines()
                .filter(line -> line.startsWith("S"))
                .toList();
        String number = starts.get(starts.size() - 1).split(" ", -1)[2];
        RunProcess leader = all.get(Integer.parseInt(number));
        return runs.contains(leader) ? leader : runs.get(0);
    }

    private static void harm(RunProcess leader, Random random) {
        switch (random.nextInt(3)) {
            case 0 -> leader.kill();
            case 1 -> leader.supervisors().stream().findFirst().ifPresent(pid -> RunProcess.signal("KILL", pid));
            default -> {
                leader.signal("STOP");
                pass(LEASE_MILLIS + 500);
                leader.signal("CONT");
            }
        }
    }

    private static List<Long> tokens(Path acts, String kind) {
        return RunProcess.read(acts)
                .lines()
                .filter(line -> line.startsWith(kind))
                .map(line -> Long.parseLong(line.split(" ", -1)[1]))
                .collect(Collectors.toList());
    }

    private static void pass(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }
}
