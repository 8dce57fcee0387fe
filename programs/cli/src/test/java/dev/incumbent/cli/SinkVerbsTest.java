package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.time.VirtualTimeline;
import org.junit.jupiter.api.Test;

class SinkVerbsTest {
    private final Office office = new Office(new VirtualTimeline());

    @Test
    void aMarkIsRaisedByHandAndTold() {
        CommandRun raise = office.run("fence", "raise", "job", "--token", "7", "--sink", Office.SINK);
        CommandRun status = office.run("fence", "status", "--sink", Office.SINK, "-o", "json");

        assertThat(raise.code()).isZero();
        assertThat(status.out())
                .contains("\"id\":\"ledger-1\",\"marks\":[{\"election\":\"job\",\"token\":7,\"owner\":\"operator:");
    }

    @Test
    void aRaiseBelowTheMarkIsRefusedWithBothNumbers() {
        office.run("fence", "raise", "job", "--token", "7", "--sink", Office.SINK);

        CommandRun raise = office.run("fence", "raise", "job", "--token", "6", "--sink", Office.SINK);

        assertThat(raise.code()).isEqualTo(81);
        assertThat(raise.err()).contains("token 6 of job is refused").contains("the mark in force is 7 of operator:");
    }

    @Test
    void aRaiseThatIsATypoIsRefused() {
        CommandRun raise = office.run("fence", "raise", "job", "--token", "9000000000000000000", "--sink", Office.SINK);

        assertThat(raise.code()).isEqualTo(81);
        assertThat(raise.err()).contains("more than 4294967296 above the mark, which is 0");
    }

    @Test
    void aSinkThatNobodyOpensIsNamedWithWhatIsKnown() {
        CommandRun status = office.run("fence", "status", "--sink", "ftp://me:secret@host/x");

        assertThat(status.code()).isEqualTo(78);
        assertThat(status.err())
                .isEqualTo("incumbent: no sink opens --sink 'ftp://***@host/x'; known URLs begin with memory:ledger\n");
    }

    @Test
    void aTableIsGuardedOnlyForAnElection() {
        CommandRun install = office.run("fence", "install", "--sink", Office.SINK, "--table", "ledger");

        assertThat(install.code()).isEqualTo(64);
        assertThat(install.err()).contains("--table is ledger, --election is missing");
    }

    @Test
    void installTellsWhatTheCoordinatorPromises() {
        assertThat(office.run("install").out())
                .isEqualTo("memory:office is ready: linearizable; shortest lease 1ms; timed by the server's clock\n");
    }
}
