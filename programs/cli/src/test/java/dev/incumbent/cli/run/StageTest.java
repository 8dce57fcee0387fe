package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.supervisor.SignalRelay;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What signals do to a run whose command has ended and whose term goes on. */
final class StageTest {
    private static final int TERM = 15;

    private final Stage stage = new Stage(Duration.ofSeconds(1));
    private final SignalRelay signals = new SignalRelay(stage);
    private final Ending ending = new Ending(7, "ended", OptionalLong.of(1), OptionalInt.of(7));

    @ParameterizedTest
    @CsvSource({"HUP, 1", "INT, 2", "TERM, 15"})
    void aSignalThatEndsAProcessEndsTheRunAsItsCommandEndedAndReleasesNothing(String name, int signal)
            throws InterruptedException {
        stage.begin();
        stage.hold(ending);
        assertThat(verdict()).as("before " + name).isEmpty();

        signals.accept(signal);

        assertThat(verdict()).hasValue(ending);
        assertThat(stage.isAbandoned()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"USR1, 10", "USR2, 12", "CONT, 18"})
    void aSignalThatWasMeantForTheCommandDoesNothing(String name, int signal) throws InterruptedException {
        stage.begin();
        stage.hold(ending);

        signals.accept(signal);

        assertThat(verdict()).as("after " + name).isEmpty();
        assertThat(stage.isAbandoned()).isFalse();
    }

    @Test
    void aTermThatCameWhileTheCommandRanEndsTheRunWithTheCommand() throws InterruptedException {
        stage.begin();
        stage.stop(TERM);

        stage.hold(ending);

        assertThat(verdict()).hasValue(ending);
        assertThat(stage.isAbandoned()).isTrue();
    }

    @Test
    void soDoesACommandThatTheKeyboardInterrupted() throws InterruptedException {
        Ending interrupted = new Ending(130, "ended", OptionalLong.of(1), OptionalInt.of(130), true);
        stage.begin();

        stage.hold(interrupted);

        assertThat(verdict()).hasValue(interrupted);
        assertThat(stage.isAbandoned()).isTrue();
    }

    @Test
    void aTermThatLastedLongEnoughIsReleased() throws InterruptedException {
        stage.begin();
        stage.hold(ending);
        stage.end(true);

        stage.conclude(ending);

        assertThat(verdict()).hasValue(ending);
        assertThat(stage.isAbandoned()).isFalse();
    }

    @Test
    void beforeTheCommandASignalIsTheEndAndEverythingIsReleased() throws InterruptedException {
        stage.begin();

        signals.accept(TERM);

        assertThat(verdict()).hasValue(Ending.signalled(TERM));
        assertThat(stage.isAbandoned()).isFalse();
    }

    private Optional<Ending> verdict() throws InterruptedException {
        return stage.attend(() -> 0, OptionalLong.of(0));
    }
}
