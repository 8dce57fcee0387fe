package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.MemberFlags;
import dev.incumbent.cli.frame.Screen;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told while a run goes on, and what of it ends the run. */
@Tag("realtime")
final class BulletinTest {
    private static final boolean REPEAT = true;
    private static final boolean ONCE = false;

    private final SystemTimeline timeline = new SystemTimeline();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Stage stage = new Stage(Duration.ofMillis(100));

    @AfterEach
    void end() {
        timeline.close();
    }

    @Test
    void aCoordinatorThatAnswersAgainIsUnreachableNoLonger() {
        Bulletin bulletin = bulletin(Optional.empty(), ONCE);

        bulletin.unreachable("a broken cable");
        assertThat(bulletin.outage()).hasValue(ExitCodes.UNREACHABLE);
        bulletin.reachable();

        assertThat(bulletin.outage()).isEmpty();
    }

    @Test
    void aCoordinatorThatRefusesALeaseIsNotSaidToBeSilentAndEachIsSaidOnceAnOutage() throws InterruptedException {
        Bulletin bulletin = bulletin(Optional.empty(), ONCE);

        bulletin.refused("it lacks a right of user app");
        bulletin.unreachable("a broken cable");
        assertThat(bulletin.outage()).hasValue(ExitCodes.UNREACHABLE);
        bulletin.refused("it lacks a right of user app");
        assertThat(bulletin.outage()).hasValue(ExitCodes.CONFIGURATION);
        bulletin.reachable();

        assertThat(verdict()).isEmpty();
        assertThat(bulletin.outage()).isEmpty();
        assertThat(said()).isEqualTo("""
                        incumbent: job: the coordinator file:/nowhere/incumbent/coordinator.db gives no lease: it lacks a right of user app
                        incumbent: job: the coordinator file:/nowhere/incumbent/coordinator.db does not answer: a broken cable
                        incumbent: job: the coordinator gives leases again
                        """);
    }

    @Test
    void whoWasNeverGivenALeaseEndsWithTheStoresOwnSentence() throws InterruptedException {
        bulletin(Optional.empty(), REPEAT).coordinatorRefused("it lacks a right of user app");

        assertThat(verdict()).hasValue(Ending.refused(ExitCodes.CONFIGURATION));
        assertThat(said()).isEqualTo("incumbent: job: it lacks a right of user app\n");
    }

    @Test
    void whoMustLeadAtOnceEndsWhereItDoesNotStand() throws InterruptedException {
        bulletin(Optional.of(Duration.ZERO), ONCE).aside("does not stand: a reason");

        assertThat(verdict()).hasValue(Ending.notAcquired(75));
        assertThat(said()).isEqualTo("incumbent: job: does not stand: a reason\n");
    }

    @Test
    void whoMayWaitDoesSoWhereItDoesNotStand() throws InterruptedException {
        bulletin(Optional.empty(), ONCE).aside("does not stand: a reason");

        assertThat(verdict()).isEmpty();
        assertThat(said()).isEqualTo("incumbent: job: does not stand: a reason\n");
    }

    @Test
    void whoMustLeadAtOnceWaitsOnceItHasLed() throws InterruptedException {
        Bulletin bulletin = bulletin(Optional.of(Duration.ZERO), REPEAT);
        stage.begin();
        stage.end(false);

        bulletin.heldBy("b leads, token 2");

        assertThat(verdict()).isEmpty();
    }

    @Test
    void whoFallsSickOnceItHasLedLeavesTheEndToItsTerm() throws InterruptedException {
        Bulletin bulletin = bulletin(Optional.of(Duration.ZERO), ONCE);
        stage.begin();
        stage.end(true);
        bulletin.sick("the disk is full");
        assertThat(verdict()).isEmpty();
        assertThat(said()).isEqualTo("incumbent: job: neither leads nor stands: the disk is full\n");
    }

    @Test
    void whoMustLeadAtOnceEndsWhereItIsSick() throws InterruptedException {
        bulletin(Optional.of(Duration.ZERO), ONCE).sick("the disk is full");

        assertThat(verdict()).hasValue(Ending.notAcquired(75));
        assertThat(said()).isEqualTo("incumbent: job: does not stand: the disk is full\n");
    }

    @Test
    void aSinkThatIsNotRaisedEndsARunThatDoesNotRepeat() throws InterruptedException {
        bulletin(Optional.empty(), REPEAT).unraised("why");
        assertThat(verdict()).isEmpty();

        bulletin(Optional.empty(), ONCE).unraised("why");
        assertThat(verdict()).hasValue(Ending.refused(ExitCodes.SINK));
        assertThat(said()).isEqualTo("incumbent: job: why\nincumbent: job: why\n");
    }

    @Test
    void aFormerLeaderThatIsNotTurnedOffEndsARunThatDoesNotRepeat() throws InterruptedException {
        bulletin(Optional.empty(), REPEAT).unfenced("why");
        assertThat(verdict()).isEmpty();

        bulletin(Optional.empty(), ONCE).unfenced("why");
        assertThat(verdict()).hasValue(Ending.of(ExitCodes.SINK, "stonith-unverified"));
    }

    /** What has been told until now is done and said. */
    private Optional<Ending> verdict() throws InterruptedException {
        stage.clear();
        return stage.attend(timeline::nanos, OptionalLong.of(timeline.nanos()));
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    private Bulletin bulletin(Optional<Duration> patience, boolean repeat) {
        Surroundings around = new Surroundings(
                Map.of("XDG_STATE_HOME", "/nowhere"),
                System.in,
                System.out,
                new PrintStream(said, true, StandardCharsets.UTF_8),
                Screen.NONE,
                timeline,
                List.of(),
                List.of());
        return new Bulletin(around, plan(patience, repeat), stage);
    }

    private static Plan plan(Optional<Duration> patience, boolean repeat) {
        return new Plan(
                new ElectionName("job"),
                List.of("true"),
                new At(),
                Timing.ofLease(Duration.ofMillis(600), Duration.ofMillis(100), Duration.ZERO),
                patience,
                Duration.ZERO,
                75,
                List.of(),
                Optional.empty(),
                new Who(),
                new MemberFlags(),
                Optional.empty(),
                StopSignal.parse("TERM"),
                repeat,
                new Hooks(),
                Optional.empty(),
                "",
                false);
    }
}
