package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** When a check is asked, and what counts as its answer. */
class AskingTest {
    private static final Rhythm RHYTHM = Rhythm.every(Duration.ofSeconds(5)).within(Duration.ofSeconds(2));

    private final VirtualTimeline time = new VirtualTimeline();
    private final HeldThread thread = new HeldThread();
    private final List<String> counted = new ArrayList<>();
    private final List<Long> askedAt = new ArrayList<>();
    private final long begun = time.nanos();
    private String said = "well";
    private int alarms;

    private final HealthCheck check = new HealthCheck() {
        @Override
        public String name() {
            return "it";
        }

        @Override
        public Answer ask(long nanos) throws IOException {
            askedAt.add((nanos - begun) / 1_000_000_000);
            switch (said) {
                case "threw" -> throw new IOException("no route");
                case "failed" -> throw new NoClassDefFoundError("Driver");
                default -> {
                    return new Answer(said.equals("well"), said);
                }
            }
        }
    };

    private Asking asking(Rhythm rhythm) {
        return new Asking(check, rhythm, time, thread, answer -> counted.add(answer.why()));
    }

    @Test
    void itIsAskedAtOnceAndThenInItsRhythm() {
        asking(RHYTHM).ask();
        time.advance(Duration.ofSeconds(14));
        said = "sick";
        time.advance(Duration.ofSeconds(2));

        assertThat(askedAt).containsExactly(0L, 5L, 10L, 15L);
        assertThat(counted).containsExactly("well", "well", "well", "sick");
    }

    @Test
    void anAnswerThatDoesNotComeInTimeIsABadOneAndItsThreadIsInterrupted() {
        thread.hangs = true;
        asking(RHYTHM).ask();
        time.advance(Duration.ofMillis(1_999));
        assertThat(counted).isEmpty();
        assertThat(thread.interrupts).isZero();
        time.advance(Duration.ofMillis(1));

        assertThat(counted).containsExactly("did not answer within 2 s");
        assertThat(thread.interrupts).isEqualTo(1);
    }

    @Test
    void anAnswerThatComesTooLateCountsForNothing() {
        thread.hangs = true;
        asking(RHYTHM).ask();
        time.advance(Duration.ofSeconds(3));
        thread.goOn();
        assertThat(counted).containsExactly("did not answer within 2 s");
        time.advance(Duration.ofSeconds(2));

        assertThat(counted).containsExactly("did not answer within 2 s", "well");
    }

    @Test
    void aCheckThatHangsIsAskedNoSecondTimeAndEachQuestionCounts() {
        thread.hangs = true;
        asking(RHYTHM).ask();
        time.advance(Duration.ofSeconds(13));

        assertThat(thread.waiting()).isEqualTo(1);
        assertThat(counted).hasSize(3).allMatch("did not answer within 2 s"::equals);
    }

    @Test
    void aQuestionThatWaitedForAnOlderOneIsAskedOnceThatHasEnded() {
        thread.hangs = true;
        asking(RHYTHM).ask();
        time.advance(Duration.ofSeconds(6));
        thread.goOn();

        assertThat(askedAt).containsExactly(0L, 5L);
        assertThat(counted).containsExactly("did not answer within 2 s", "well");
    }

    @Test
    void whereAnAnswerMayTakeLongerThanTheRhythmTheNextQuestionWaits() {
        thread.hangs = true;
        asking(RHYTHM.within(Duration.ofSeconds(12))).ask();
        time.advance(Duration.ofSeconds(11));
        assertThat(counted).isEmpty();
        thread.goOn();
        time.advance(Duration.ofSeconds(4));

        assertThat(counted).containsExactly("well", "well");
        assertThat(askedAt).containsExactly(0L, 15L);
    }

    @Test
    void aCheckThatThrowsIsABadAnswerWithWhy() {
        said = "threw";
        asking(RHYTHM).ask();
        said = "failed";
        time.advance(Duration.ofSeconds(5));
        said = "well";
        time.advance(Duration.ofSeconds(5));

        assertThat(counted)
                .containsExactly(
                        "threw java.io.IOException: no route", "threw java.lang.NoClassDefFoundError: Driver", "well");
    }

    @Test
    void whereThereIsNoThreadForItThatIsABadAnswer() {
        thread.isGone = true;
        asking(RHYTHM).ask();
        thread.isGone = false;
        time.advance(Duration.ofSeconds(5));

        assertThat(counted)
                .containsExactly(
                        "could not be asked: java.lang.OutOfMemoryError: unable to create native thread", "well");
    }

    @Test
    void onceClosedItAsksAndCountsNothing() {
        thread.hangs = true;
        Asking asking = asking(RHYTHM);
        asking.ask();
        asking.close();
        thread.goOn();
        time.advance(Duration.ofMinutes(1));
        assertThat(counted).isEmpty();
        assertThat(thread.interrupts).isEqualTo(1);
        asking.ask();

        assertThat(askedAt).as("what hung in the first question").containsExactly(0L);
    }

    @Test
    void aCheckThatAnswersNothingIsABadOne() {
        @SuppressWarnings("NullAway") // a user's check may
        HealthCheck empty = HealthCheck.of("it", () -> null);
        new Asking(empty, RHYTHM, time, thread, answer -> counted.add(answer.isWell() + " " + answer.why())).ask();

        assertThat(counted).containsExactly("false threw java.lang.NullPointerException: no answer");
    }

    @Test
    void itLeavesNoAlarmBehind() {
        Asking asking = new Asking(check, RHYTHM, new CountedAlarms(), thread, answer -> counted.add(answer.why()));
        asking.ask();
        assertThat(alarms).as("after an answer only the next question is due").isEqualTo(1);
        thread.hangs = true;
        time.advance(Duration.ofSeconds(5));
        assertThat(alarms).as("the next question, and the end of this one").isEqualTo(2);
        asking.close();

        assertThat(alarms).isZero();
    }

    /** Knows how many alarms are set. */
    private final class CountedAlarms implements Timeline {
        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public long wallMillis() {
            return time.wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return time.bootNanos();
        }

        @Override
        public Alarm at(long instant, Runnable task) {
            alarms++;
            AtomicBoolean isSet = new AtomicBoolean(true);
            Runnable over = () -> alarms -= isSet.getAndSet(false) ? 1 : 0;
            Alarm alarm = time.at(instant, () -> {
                over.run();
                task.run();
            });
            return () -> {
                over.run();
                alarm.cancel();
            };
        }
    }
}
