package dev.incumbent.health;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks one check in its rhythm, and counts one answer for each question: the check's own, or a bad one where it does not come in time. While the check's thread
 * still hangs in an older question, the next one waits for it. Thread-safe; blocks nobody.
 */
final class Asking {
    private final HealthCheck check;
    private final Rhythm rhythm;
    private final Timeline timeline;
    private final CheckThread thread;
    private final Consumer<Answer> counted;
    private Optional<Timeline.Alarm> next = Optional.empty();
    private Optional<Timeline.Alarm> end = Optional.empty();
    private long question;
    private long askedAt;
    /** The last question has no answer yet that counts. */
    private boolean isOpen;
    /** The check's thread is at work, or is about to be. */
    private boolean isBusy;

    private boolean closed;

    /** {@code counted} hears each answer, one at a time, and must return at once. */
    Asking(HealthCheck check, Rhythm rhythm, Timeline timeline, CheckThread thread, Consumer<Answer> counted) {
        this.check = check;
        this.rhythm = rhythm;
        this.timeline = timeline;
        this.thread = thread;
        this.counted = counted;
    }

    /** Asks now, and from now on in its rhythm. */
    synchronized void ask() {
        if (closed) {
            return;
        }
        long now = timeline.nanos();
        next = Optional.of(timeline.at(now + rhythm.every().toNanos(), this::ask));
        if (!isOpen) {
            open(now);
        }
    }

    private void open(long now) {
        askedAt = now;
        long asked = ++question;
        isOpen = true;
        end = Optional.of(timeline.at(now + rhythm.within().toNanos(), () -> late(asked)));
        if (!isBusy) {
            run();
        }
    }

    private void run() {
        long asked = question;
        long now = askedAt;
        isBusy = true;
        try {
            thread.run(() -> heard(asked, answer(now)));
        } catch (RuntimeException | Error noThread) {
            heard(asked, Answer.sick("could not be asked: " + noThread));
        }
    }

    /** On the check's thread. Whatever a check throws is an answer. */
    private Answer answer(long now) {
        try {
            return Objects.requireNonNull(check.ask(now), "no answer");
        } catch (Throwable thrown) {
            return Answer.sick("threw " + thrown);
        }
    }

    private synchronized void heard(long asked, Answer answer) {
        isBusy = false;
        if (closed || !isOpen) {
            return;
        }
        if (asked == question) {
            count(answer);
        } else {
            run(); // it answered an older question, and this one has waited for it
        }
    }

    private synchronized void late(long asked) {
        if (!closed && isOpen && asked == question) {
            thread.interrupt();
            count(Answer.sick("did not answer within " + text(rhythm.within())));
        }
    }

    private void count(Answer answer) {
        isOpen = false;
        end.ifPresent(Timeline.Alarm::cancel);
        counted.accept(answer);
    }

    private static String text(Duration bound) {
        return Amounts.seconds(bound.toNanos());
    }

    /** Asks no more, counts no more answers, and interrupts the check. */
    synchronized void close() {
        closed = true;
        next.ifPresent(Timeline.Alarm::cancel);
        end.ifPresent(Timeline.Alarm::cancel);
        thread.close();
    }
}
