package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.examples.NightlyMigration.Step;
import dev.incumbent.model.EndReason;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A migration that many machines start each night, and one runs. */
@Timeout(30)
class NightlyMigrationTest {
    private static final Step FIRST = new Step("2026-11-20/first", "INSERT INTO ledger(line) VALUES ('first')");
    private static final Step BROKEN = new Step("2026-11-20/second", "INSERT INTO no_such_table VALUES (1)");
    private static final Step MENDED = new Step("2026-11-20/second", "INSERT INTO ledger(line) VALUES ('second')");

    @TempDir
    Path folder;

    private Office office;
    private Ledger ledger;

    @BeforeEach
    void open() throws Exception {
        office = new Office(folder);
        ledger = new Ledger(office.ledger, "nightly");
    }

    @AfterEach
    void close() throws Exception {
        ledger.close();
        office.close();
    }

    @Test
    void whatOneRunnerLeavesTheNextTakesUpAndNoStepIsDoneTwice() throws Exception {
        EndReason failed = run("ada", List.of(FIRST, BROKEN));

        EndReason done = run("bob", List.of(FIRST, MENDED));

        assertThat(failed).isEqualTo(EndReason.TASK_FAILED);
        assertThat(done).isEqualTo(EndReason.RESIGNED);
        assertThat(ledger.lines()).containsExactly("first", "second");
    }

    @Test
    void aRunnerWhoseTermIsOverDoesNoStepMore() throws Exception {
        Candidacy first = office.elections("ada")
                .election("nightly")
                .guarding(office.sink())
                .campaign(office::leadUntilInterrupted);
        Leadership late = office.begun.take();
        first.resign().toCompletableFuture().join();

        NightlyMigration migration = new NightlyMigration("nightly", office.ledger, List.of(FIRST));

        assertThatThrownBy(() -> migration.lead(late)).isInstanceOf(LeadershipLostException.class);
        assertThat(ledger.lines()).isEmpty();
    }

    /** One machine's night: stands, leads once, and goes. */
    private EndReason run(String name, List<Step> steps) throws Exception {
        NightlyMigration migration = new NightlyMigration("nightly", office.ledger, steps);
        CompletableFuture<EndReason> ended = new CompletableFuture<>();
        try (Candidacy candidacy = office.elections(name)
                .election("nightly")
                .guarding(office.sink())
                .campaign(leadership -> {
                    leadership.ended().thenAccept(ended::complete);
                    migration.lead(leadership);
                })) {
            EndReason reason = ended.get();
            assertThat(candidacy.health().stalled()).isFalse();
            return reason;
        }
    }
}
