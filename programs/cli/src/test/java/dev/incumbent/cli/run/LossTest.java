package dev.incumbent.cli.run;

import static dev.incumbent.cli.run.RunProcess.PAST_A_SHORT_LEASE;
import static dev.incumbent.cli.run.RunProcess.SHORT_LEASE;
import static dev.incumbent.cli.run.RunProcess.SLACK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.outcome.RequestedTransfer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leadership that ends under its command: by silence, by violence, by an operator. */
@Tag("realtime")
final class LossTest {
    /** Writes its token, time and time again, whatever it is told. */
    private static final String HEARTBEAT =
            "trap '' TERM; while :; do echo $INCUMBENT_TOKEN >> \"$0\"; sleep 0.02; done";

    private static final String SHORT = SHORT_LEASE.toSeconds() + "s";

    @TempDir
    private Path folder;

    private RunProcess beating(Path beats, String... flags) {
        List<String> line = new java.util.ArrayList<>(List.of(
                "job",
                "--stop-budget",
                "500ms",
                "--json-exit",
                folder.resolve("exit.json").toString()));
        line.addAll(List.of(flags));
        line.addAll(List.of("--", "sh", "-c", HEARTBEAT, beats.toString()));
        return RunProcess.start(folder, line.toArray(new String[0]));
    }

    @Test
    void aFrozenWrapperLosesItsCommandBeforeItsSuccessorLeadsAndWakesTo79() {
        Path beats = folder.resolve("beats");
        try (RunProcess frozen = beating(beats, "--lease", SHORT)) {
            RunProcess.awaitLines(beats, 3);
            try (RunProcess successor = RunProcess.start(
                    folder, "job", "--lease", SHORT, "--", "sh", "-c", "echo $INCUMBENT_TOKEN >> " + beats)) {
                frozen.signal("STOP");
                RunProcess.within(SHORT_LEASE, () -> {
                    frozen.awaitNothingLeft();
                    return frozen;
                });

                assertThat(successor.exitCodeWithin(SLACK)).isZero();
                assertThat(frozen.started()).isEmpty();
                assertThat(RunProcess.read(beats)).matches("(1\n)+2\n");

                frozen.signal("CONT");
                assertThat(frozen.exitCodeWithin(SLACK)).isEqualTo(79);
                assertThat(frozen.err()).endsWith("job: the leadership ended before the command did: lost\n");
                assertThat(RunProcess.read(folder.resolve("exit.json")))
                        .contains("\"token\":1,\"code\":79,\"reason\":\"lost\",\"childCode\":137");
            }
        }
    }

    @Test
    void aCommandThatEndedWhileItsWrapperSleptAndTheLeaseStillHeldKeepsItsOwnCode() {
        Path begun = folder.resolve("begun");
        try (RunProcess run = RunProcess.start(
                folder, "job", "--lease", SHORT, "--", "sh", "-c", "echo > $0; sleep 0.5; exit 7", begun.toString())) {
            RunProcess.awaitLines(begun, 1);
            run.signal("STOP");
            run.awaitNothingLeft();
            try (RunProcess next = RunProcess.start(folder, "job", "--", "true")) {
                assertThat(next.exitCodeWithin(PAST_A_SHORT_LEASE)).isZero();
            }

            run.signal("CONT");

            assertThat(run.exitCodeWithin(SLACK)).isEqualTo(7);
        }
    }

    @Test
    void nothingIsLeftOfAKilledWrapper() {
        Path beats = folder.resolve("beats");
        try (RunProcess run = RunProcess.start(folder, "job", "--", "sh", "-c", AWKWARD, beats.toString())) {
            RunProcess.awaitLines(beats, 4);

            run.kill();

            RunProcess.within(SLACK, () -> {
                run.awaitNothingLeft();
                RunProcess.await("the supervisor's end", () -> run.supervisors().isEmpty());
                return run;
            });
        }
    }

    @Test
    void nothingIsLeftOfAKilledSupervisorAndTheRunEndsWith70() {
        Path beats = folder.resolve("beats");
        try (RunProcess run = RunProcess.start(folder, "job", "--", "sh", "-c", AWKWARD, beats.toString())) {
            RunProcess.awaitLines(beats, 4);

            RunProcess.signal("KILL", run.supervisors().get(0));

            assertThat(run.exitCodeWithin(SLACK)).isEqualTo(70);
            assertThat(run.started()).isEmpty();
        }
    }

    /** Four that live on in ways of their own: a child, one of another session, a double fork, one deaf to HUP. */
    private static final String AWKWARD = "echo >> $0; setsid sh -c 'echo >> $0; sleep 60' $0 & "
            + "(sh -c 'echo >> $0; sleep 60' $0 &) & nohup sh -c 'echo >> $0; sleep 60' $0 >/dev/null 2>&1 & sleep 60";

    @Test
    void anOperatorsResignAndFreezeEndTheCommandWith79AndTheirReason() {
        assertThat(endedBy("resigned", operator -> operator.resign(Duration.ofSeconds(20))))
                .isEqualTo(79);
        assertThat(endedBy("frozen", operator -> operator.freeze("a test", List.of(), ElectionAdmin.Until.VACANT)))
                .isEqualTo(79);
    }

    private int endedBy(String reason, Function<ElectionAdmin, ? extends CompletionStage<?>> order) {
        Path beats = folder.resolve("beats-" + reason);
        try (RunProcess run = beating(beats)) {
            RunProcess.awaitLines(beats, 3);

            int code = RunProcess.within(SLACK, () -> {
                ask(operator -> order.apply(operator).thenApply(done -> done));
                return run.exitCode();
            });
            assertThat(run.started()).isEmpty();
            assertThat(RunProcess.read(folder.resolve("exit.json"))).contains("\"reason\":\"" + reason + "\"");
            assertThat(run.err()).contains("job: the leadership ended before the command did: " + reason);
            return code;
        }
    }

    private <T> T ask(Function<ElectionAdmin, CompletionStage<T>> order) {
        return Operator.ask(folder, order);
    }

    @Test
    void aTransferHandsOverOnceTheCommandIsGone() {
        Path beats = folder.resolve("beats");
        try (RunProcess leader = beating(beats)) {
            RunProcess.awaitLines(beats, 3);
            try (RunProcess successor = RunProcess.start(
                    folder,
                    "job",
                    "--name",
                    "heir",
                    "--",
                    "sh",
                    "-c",
                    "echo $INCUMBENT_TOKEN $INCUMBENT_PREVIOUS_END >> " + beats + "; sleep 1")) {
                RunProcess.await(
                        "an heir in line",
                        () -> ask(ElectionAdmin::status).candidates().size() == 2);

                RequestedTransfer asked = ask(operator -> operator.transferTo("heir", Duration.ofSeconds(20)));

                assertThat(asked).isInstanceOf(RequestedTransfer.Transferred.class);

                assertThat(leader.exitCodeWithin(SLACK)).isEqualTo(79);
                assertThat(RunProcess.read(folder.resolve("exit.json")))
                        .contains("\"token\":1,\"code\":79,\"reason\":\"transferred\",\"childCode\":137");
                assertThat(leader.err()).contains("job: the leadership ended before the command did: transferred\n");
                assertThat(successor.exitCode()).isZero();
                assertThat(RunProcess.read(beats)).matches("(1\n)+2 transferred\n");
            }
        }
    }

    @Test
    void withRepeatItStandsAgainAfterALossAndTellsTheHookWhy() {
        Path beats = folder.resolve("beats");
        Path lost = folder.resolve("lost");
        try (RunProcess run =
                beating(beats, "--repeat", "--on-lost", "echo $INCUMBENT_TOKEN $INCUMBENT_REASON >> " + lost)) {
            RunProcess.awaitLines(beats, 3);

            ask(operator -> operator.resign(Duration.ofSeconds(20)));

            RunProcess.await("a second term", () -> RunProcess.read(beats).endsWith("2\n"));
            RunProcess.awaitLines(lost, 1);
            assertThat(RunProcess.read(lost)).isEqualTo("1 resigned\n");
            assertThat(run.isAlive()).isTrue();

            run.signal("TERM");
            run.signal("TERM");
            assertThat(run.exitCode()).isEqualTo(137);
        }
    }

    @Test
    void theRecordTellsWhoLedAndWhereItWasFound() {
        RunProcess run = RunProcess.start(folder, "job", "--name", "one", "--address", "10.0.0.4:8080", "--", "true");
        assertThat(run.exitCode()).isZero();

        assertThat(ask(ElectionAdmin::history))
                .extracting(
                        past -> past.leader().name() + " at " + past.leader().address())
                .containsExactly("one at 10.0.0.4:8080");
    }

    /** The hook itself leads for a moment: nothing of the loser stands in its way any more. */
    @Test
    void theHookOfALossIsRunOnceTheRunNeitherLeadsNorStands() {
        Path beats = folder.resolve("beats");
        Path lost = folder.resolve("lost");
        String another = String.join(" ", RunProcess.line(folder, "job", "-n", "--", "true"));
        String hook = another + "; echo $? $INCUMBENT_REASON >> " + lost + "; exit 1";
        try (RunProcess run = RunProcess.start(
                folder, "job", "--on-lost", hook, "--", "sh", "-c", "echo >> $0; exec sleep 60", beats.toString())) {
            RunProcess.awaitLines(beats, 1);

            ask(operator -> operator.resign(Duration.ofSeconds(20)));

            assertThat(run.exitCode()).isEqualTo(79);
            assertThat(RunProcess.read(lost)).isEqualTo("0 resigned\n");
            assertThat(run.err()).contains("the command of --on-lost failed");
        }
    }

    @Test
    void aTermThatComesWhileALeadershipEndsIsTheEndOfARepeatedRun() {
        Path file = folder.resolve("f");
        String script = "trap 'echo stopping >> $0' USR2; trap 'exit 3' TERM; echo begun >> $0; "
                + "while :; do sleep 0.05; done";
        try (RunProcess run = RunProcess.start(
                folder, "job", "--repeat", "--stop-signal", "USR2", "--", "sh", "-c", script, file.toString())) {
            RunProcess.awaitLines(file, 1);
            CompletableFuture<?> order =
                    CompletableFuture.runAsync(() -> ask(operator -> operator.resign(Duration.ofSeconds(20))));
            RunProcess.awaitLines(file, 2);

            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(79);
            assertThat(RunProcess.read(file)).isEqualTo("begun\nstopping\n");
            order.join();
        }
    }

    /** The second one leads for longer than the first one would have waited for its first term. */
    @Test
    void whoMustLeadAtOnceAndRepeatsWaitsForItsNextTerm() {
        Path file = folder.resolve("f");
        String script = "echo $INCUMBENT_TOKEN >> $0; test $INCUMBENT_TOKEN = 3 || exec sleep 60";
        try (RunProcess first = RunProcess.start(
                folder, "job", "--lease", "4s", "-n", "--repeat", "--", "sh", "-c", script, file.toString())) {
            RunProcess.awaitLines(file, 1);
            try (RunProcess second =
                    RunProcess.start(folder, "job", "--", "sh", "-c", "echo second >> $0; sleep 5", file.toString())) {
                RunProcess.await(
                        "a second one in line",
                        () -> ask(ElectionAdmin::status).candidates().size() == 2);

                ask(operator -> operator.resign(Duration.ofSeconds(20)));

                assertThat(second.exitCode()).isZero();
                assertThat(first.exitCode()).isZero();
                assertThat(RunProcess.read(file)).isEqualTo("1\nsecond\n3\n");
            }
        }
    }

    @Test
    void theCommandOfAFrozenWrapperIsKilledByTheReserveBeforeTheLeaseEnds() {
        Path begun = folder.resolve("begun");
        Path last = folder.resolve("last");
        String beats = "trap '' TERM; echo > $0; while :; do date +%s%N > $1.new; mv $1.new $1; sleep 0.02; done";
        String[] line = {
            "job",
            "--lease",
            SHORT,
            "--stop-budget",
            "500ms",
            "--kill-reserve",
            "3s",
            "--",
            "sh",
            "-c",
            beats,
            begun.toString(),
            last.toString()
        };
        try (RunProcess frozen = RunProcess.start(folder, line)) {
            RunProcess.awaitLines(begun, 1);
            try (RunProcess successor = RunProcess.start(folder, "job", "--", "date", "+%s%N")) {
                RunProcess.await(
                        "a successor in line",
                        () -> ask(ElectionAdmin::status).candidates().size() == 2);

                frozen.signal("STOP");

                assertThat(successor.exitCodeWithin(PAST_A_SHORT_LEASE)).isZero();
                long gap = Long.parseLong(successor.out().strip())
                        - Long.parseLong(RunProcess.read(last).strip());
                assertThat(TimeUnit.NANOSECONDS.toMillis(gap)).isBetween(2_000L, 3_000L + SLACK.toMillis());
            }
        }
    }
}
