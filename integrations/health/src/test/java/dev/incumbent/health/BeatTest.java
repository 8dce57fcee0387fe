package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that beats, hangs and ends, asked every second. */
class BeatTest {
    private static final Rhythm RHYTHM = Rhythm.every(Duration.ofSeconds(1)).after(1);

    private final VirtualTimeline time = new VirtualTimeline();
    private final Beat beat = Beat.within(Duration.ofSeconds(30));
    private final HealthMonitor monitor =
            HealthMonitor.asking(RHYTHM, beat).quiet().timeline(time).start(name -> new HeldThread());

    @AfterEach
    void close() {
        monitor.close();
    }

    private String said() {
        return monitor.conditions().get(0).sentence();
    }

    @Test
    void whereNothingIsUnderWayItIsWell() {
        time.advance(Duration.ofHours(1));

        assertThat(said()).isEqualTo("work is not under way");
        assertThat(monitor.isWell()).isTrue();
    }

    @Test
    void workThatBeatsGoesOn() {
        Beat.Work work = beat.begin();
        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofSeconds(29));
            work.beat();
        }

        assertThat(monitor.isWell()).isTrue();
        assertThat(said()).isEqualTo("work goes on");
    }

    @Test
    void workThatHangsIsSickUntilItBeatsAgain() {
        Beat.Work work = beat.begin();
        work.beat();
        time.advance(Duration.ofSeconds(31));
        assertThat(monitor.isWell()).as("seen first after a second").isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(said()).isEqualTo("work has not beaten for 31 s, longer than 30 s");
        work.beat();
        time.advance(Duration.ofSeconds(1));

        assertThat(monitor.isWell()).isTrue();
    }

    @Test
    void workThatHangsIsSickUntilItHasEnded() {
        Beat.Work work = beat.begin();
        time.advance(Duration.ofSeconds(40));
        assertThat(monitor.isWell()).isFalse();
        work.close();
        time.advance(Duration.ofSeconds(1));

        assertThat(said()).isEqualTo("work is not under way");
    }

    @Test
    void onePieceThatHangsIsNotHiddenByOneThatBeats() {
        beat.begin();
        Beat.Work other = beat.begin();
        for (int i = 0; i < 40; i++) {
            time.advance(Duration.ofSeconds(1));
            other.beat();
        }

        assertThat(monitor.isWell()).isFalse();
    }

    @Test
    void piecesThatAreNeverClosedAreBounded() {
        for (int i = 0; i < Bounds.MOST_WORKS; i++) {
            beat.begin();
        }

        assertThatThrownBy(beat::begin).hasMessageContaining("10000 pieces of work are under way already");
    }

    @Test
    void noTimeAtAllIsRefused() {
        assertThatThrownBy(() -> Beat.within(Duration.ZERO)).hasMessageContaining("PT0S");
        assertThatThrownBy(() -> Beat.within(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    }
}
