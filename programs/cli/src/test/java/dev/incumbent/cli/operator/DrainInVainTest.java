package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine.Command;

/** {@code drain} where nobody does what it asks, or not all can be read: what it asks, what it says, and how it ends. */
@Tag("patient")
@Timeout(120)
class DrainInVainTest {
    private static final String A = "x@a-1-r";
    private static final String B = "x@b-2-r";
    private static final String C = "x@c-3-r";

    private final SystemTimeline time = new SystemTimeline();
    private final SilentLeaders leaders = new SilentLeaders(time);

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void sixteenAreAskedAtOnceAndAllInTheEnd() {
        List<String> jobs = SilentLeaders.names("job-", 20);
        jobs.forEach(job -> leaders.led(job, A, A, B));

        CommandRun run = run("drain", "a", "--timeout", "300ms");

        assertThat(run.code()).isEqualTo(80);
        assertThat(leaders.mostAtOnce()).isEqualTo(16);
        assertThat(run.err().lines().limit(20))
                .containsExactlyInAnyOrderElementsOf(jobs.stream()
                        .map(job ->
                                "incumbent: term 1 of " + job + " goes on under " + A + ": it did not do so in time")
                        .toList());
        assertThat(run.err().lines().skip(20)).containsExactly("incumbent: a still leads " + String.join(" ", jobs));
    }

    @Test
    void theFirstInLineOnAnotherHostIsAskedForByItsId() {
        leaders.led("job", A, A, "x@a-7-r", C, B);

        assertThat(run("drain", "a", "--timeout", "200ms").code()).isEqualTo(80);

        assertThat(leaders.successors).containsExactly(C);
    }

    @Test
    void whereNobodyElseStandsEachIsToldInOrder() {
        leaders.led("one", A, A);
        leaders.led("two", A);

        assertThat(run("drain", "a", "-o", "json").out())
                .isEqualTo("{\"host\":\"a\",\"elections\":[{\"election\":\"one\",\"outcome\":\"nobody-else\"},"
                        + "{\"election\":\"two\",\"outcome\":\"nobody-else\"}],\"left\":[\"one\",\"two\"]}\n");
    }

    @Test
    void whatFailsIsToldWithWhy() {
        leaders.led("job", A, A, B);
        leaders.failure = Optional.of(new CoordinatorException("no quorum", false));

        CommandRun text = run("drain", "a", "--timeout", "200ms");
        CommandRun json = run("drain", "a", "--timeout", "200ms", "-o", "json");

        assertThat(text.code()).isEqualTo(80);
        assertThat(text.err())
                .isEqualTo("incumbent: job was not handed over: no quorum\nincumbent: a still leads job\n");
        assertThat(json.out())
                .isEqualTo("{\"host\":\"a\",\"elections\":[{\"election\":\"job\",\"outcome\":\"failed\","
                        + "\"why\":\"no quorum\"}],\"left\":[\"job\"]}\n");
    }

    @Test
    void ofWhatCannotBeReadNothingIsSaidAndTheEndIs69() {
        leaders.store.plantUnreadable(new ElectionName("early"), "written by hand");
        leaders.led("late", B, B, A);

        CommandRun stands = run("drain", "a");
        CommandRun unknown = run("drain", "c");

        assertThat(stands.code()).isEqualTo(69);
        assertThat(stands.err()).isEqualTo("""
                        incumbent: early: foreign: written by hand
                        incumbent: a leads nothing that could be read
                        """);
        assertThat(unknown.code()).as("it may stand there").isEqualTo(69);
    }

    @Test
    void whatWasLookedForIsNamed() {
        leaders.led("one/x", B, B, A);

        assertThat(run("drain", "a", "one/").err()).isEqualTo("incumbent: a leads nothing of one/\n");
        assertThat(run("drain", "a").err()).isEqualTo("incumbent: a leads nothing\n");
        assertThat(run("drain", "c", "one/").err())
                .startsWith("incumbent: nobody of c leads or stands in one/ here; incumbent status tells who does");
        assertThat(run("drain", "c").err()).startsWith("incumbent: nobody of c leads or stands in any election here");
    }

    @Test
    void whoLeadsWithoutStandingInLineIsOfTheHost() {
        leaders.led("job", A, B);

        run("drain", "a", "--timeout", "200ms");

        assertThat(leaders.successors).containsExactly(B);
    }

    @Test
    void whoeverIsInterruptedSaysThatTheTransfersGoOn() throws Exception {
        leaders.led("job", A, A, B);
        boolean[] isInterrupted = {false};
        FutureTask<CommandRun> running = new FutureTask<>(() -> {
            CommandRun run = run("drain", "a");
            isInterrupted[0] = Thread.currentThread().isInterrupted();
            return run;
        });
        Thread thread = begun(running);
        until(() -> leaders.isAsked("job"));

        thread.interrupt();

        CommandRun run = running.get(60, TimeUnit.SECONDS);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("incumbent: interrupted; the transfers that were asked for go on\n");
        assertThat(isInterrupted[0]).isTrue();
    }

    @Test
    void aTransferHasHalfAMinuteWhereNothingElseIsSaid() throws Exception {
        assertThat(waited()).isEqualTo(Duration.ofSeconds(30));
        assertThat(waited("--timeout", "7s")).isEqualTo(Duration.ofSeconds(7));
    }

    /** For how long it waits for one transfer, to the second, in a time that this test moves. */
    private static Duration waited(String... more) throws Exception {
        VirtualTimeline moved = new VirtualTimeline();
        SilentLeaders silent = new SilentLeaders(moved);
        silent.led("job", A, A, B);
        FutureTask<CommandRun> running = new FutureTask<>(() -> run(
                World.of(moved, "memory", silent::coordinator),
                Stream.concat(Stream.of("drain", "a"), Stream.of(more)).toArray(String[]::new)));
        Thread thread = begun(running);
        until(() -> silent.isAsked("job") && thread.getState() == Thread.State.WAITING);
        int seconds = 0;
        while (silent.isAsked("job")) {
            moved.advance(Duration.ofSeconds(1));
            seconds++;
        }
        assertThat(running.get(60, TimeUnit.SECONDS).code()).isEqualTo(80);
        return Duration.ofSeconds(seconds);
    }

    private static Thread begun(FutureTask<CommandRun> running) {
        Thread thread = new Thread(running, "drain");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void until(BooleanSupplier come) {
        for (int i = 0; i < 6_000 && !come.getAsBoolean(); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(come.getAsBoolean()).as("not within 60 s").isTrue();
    }

    private CommandRun run(String... args) {
        return run(World.of(time, "memory", leaders::coordinator), args);
    }

    private static CommandRun run(World world, String... args) {
        String[] all =
                Stream.concat(Stream.of(args), Stream.of("--at", "memory:")).toArray(String[]::new);
        return CommandRun.of(new Root(), new Table(), Map.of(), world, all);
    }

    @Command(name = "incumbent")
    private static final class Root {}

    private static final class Table implements VerbTable {
        @Override
        public List<String> names() {
            return List.of("drain");
        }

        @Override
        public Object make(String name) {
            return new Drain();
        }
    }
}
