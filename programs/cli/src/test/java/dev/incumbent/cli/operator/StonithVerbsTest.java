package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.Stonith;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.NodeBoot;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code stonith list} and {@code stonith confirm} over the reference store. */
@Tag("patient")
class StonithVerbsTest {
    private static final Holder FORMER =
            new Holder(7, new CandidateId("ledger-1@h1-4711-9f3c"), new NodeBoot("n1", "boot-1", "4711:12:pid1,time1"));

    private final OperatorRig rig = new OperatorRig(Duration.ofMinutes(1));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void whoMayStillActIsListedAndOnceConfirmedIsNot() {
        plant();

        CommandRun list = rig.run("stonith", "list", "job");
        CommandRun confirm = rig.run("stonith", "confirm", "job", "n1", "--term", "7", "--why", "its plug is pulled");
        CommandRun after = rig.run("stonith", "list", "job");

        assertThat(list.code()).as(list.err()).isZero();
        assertThat(list.out()).matches("""
                        TERM  NODE  CANDIDATE +PROCESS +STATE
                        7     n1    ledger-1@h1-4711-9f3c  4711:12:pid1,time1  may still act
                        """);
        assertThat(confirm.code()).as(confirm.err()).isZero();
        assertThat(confirm.out())
                .isEqualTo("term 7 of ledger-1@h1-4711-9f3c on n1 is confirmed to act no more in job\n");
        assertThat(after.out()).isEmpty();
        assertThat(after.err()).contains("nobody may still act in job");
        assertThat(rig.record("job").holders().isEmpty()).isTrue();
    }

    @Test
    void programsReadHoldersAndProofsAsJson() {
        plant();

        assertThat(rig.run("stonith", "list", "job", "-o", "json").out())
                .isEqualTo(
                        "{\"election\":\"job\",\"required\":true,\"holders\":[{\"term\":7,\"node\":\"n1\","
                                + "\"candidate\":\"ledger-1@h1-4711-9f3c\",\"bootId\":\"boot-1\","
                                + "\"process\":\"4711:12:pid1,time1\",\"leads\":false,\"from\":null,\"to\":null}],\"proved\":[]}\n");
        assertThat(rig.run("stonith", "confirm", "job", "n1", "--term", "7", "--why", "x", "-o", "json")
                        .out())
                .matches("\\{\"election\":\"job\",\"node\":\"n1\",\"term\":7,\"outcome\":\"confirmed\","
                        + "\"by\":\"\\S+\",\"isInHistory\":false}\n");
    }

    @Test
    void whoIsNotListedIsNotSoAndTheListedAreNamed() {
        plant();

        CommandRun other = rig.run("stonith", "confirm", "job", "n2", "--term", "7", "--why", "x");

        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("job lists nobody of term 7 on n2; it lists term 7 on n1");
        assertThat(rig.record("job").holders().all()).hasSize(1);
        assertThat(rig.run("stonith", "confirm", "nope", "n1", "--term", "7", "--why", "x")
                        .code())
                .isEqualTo(1);
    }

    /** It may act, whatever anybody says. */
    @Test
    void whoLeadsIsRefusedWith80() throws InterruptedException {
        Stonith how = new Stonith(FORMER.on(), Duration.ofSeconds(5), (holder, window) -> new CompletableFuture<>());
        try (Elections elections = rig.opened("a")) {
            elections.election("live").withStonith(how).campaign(OperatorRig.TASK);
            OperatorRig.until(() -> rig.leader("live").equals("a"));

            CommandRun confirm = rig.run("stonith", "confirm", "live", "n1", "--term", "1", "--why", "x");

            assertThat(confirm.code()).isEqualTo(80);
            assertThat(confirm.err()).contains("leads term 1 of live on n1, under a lease that lives: resign it");
            assertThat(rig.run("stonith", "list", "live").out()).contains("leads\n");
        }
    }

    @Test
    void withoutAReasonNothingIsConfirmed() {
        plant();

        assertThat(rig.run("stonith", "confirm", "job", "n1", "--term", "7", "--why", " ")
                        .code())
                .isEqualTo(64);
        assertThat(rig.run("stonith", "confirm", "job", "n1", "--term", "7", "--why", "x".repeat(201))
                        .err())
                .contains("--why: why of a proof has at most 200 characters, this one has 201");
        assertThat(rig.record("job").holders().all()).hasSize(1);
    }

    @Test
    void anElectionThatDoesNotAskForItSaysHow() {
        rig.plant("plain", LeaderRecord.EMPTY);

        CommandRun list = rig.run("stonith", "list", "plain");

        assertThat(list.code()).isZero();
        assertThat(list.err()).contains("plain does not ask that former leaders are turned off: 'run --stonith FILE'");
    }

    private void plant() {
        rig.plant(
                "job",
                LeaderRecord.EMPTY.withRequires(Set.of(Feature.STONITH)).withHolders(Holders.of(List.of(FORMER))));
    }
}
