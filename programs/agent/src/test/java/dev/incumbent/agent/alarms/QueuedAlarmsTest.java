package dev.incumbent.agent.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.Conflict.Evidence;
import dev.incumbent.telling.conflict.ConflictKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever is told of alarms may block, and delays nobody but those who are told after it. */
@Timeout(60)
class QueuedAlarmsTest {
    private final List<Long> told = new CopyOnWriteArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    @Test
    void oneThatBlocksDelaysNoCallerAndNothingIsLostWithinTheBound() {
        try (QueuedAlarms queue = new QueuedAlarms(List.of(this::block, alarm -> told.add(alarm.number())))) {
            for (long number = 1; number <= QueuedAlarms.MOST_WAITING; number++) {
                queue.onAlarm(alarm(number));
            }
            assertThat(told).isEmpty();
            mayGoOn.countDown();
        }

        assertThat(told).hasSize(QueuedAlarms.MOST_WAITING).startsWith(1L, 2L).endsWith(1_000L);
    }

    @Test
    void whatComesAboveTheBoundIsToldToNobodyAndThatIsSaidOnce() {
        try (QueuedAlarms queue =
                new QueuedAlarms(List.of(this::block, alarm -> told.add(alarm.number())), said::add)) {
            for (long number = 1; number <= 3 * QueuedAlarms.MOST_WAITING; number++) {
                queue.onAlarm(alarm(number));
            }
            mayGoOn.countDown();
        }

        assertThat(told.size()).isBetween(QueuedAlarms.MOST_WAITING, QueuedAlarms.MOST_WAITING + 1);
        assertThat(said)
                .containsExactly((3 * QueuedAlarms.MOST_WAITING - told.size())
                        + " changes of alarms were told to nobody, because 1000 waited to be told: look at GET"
                        + " /v1/alarms");
    }

    @Test
    void oneThatThrowsKeepsNoOtherFromHearing() {
        AlarmListener bad = alarm -> {
            throw new NoClassDefFoundError("gone");
        };
        try (QueuedAlarms queue = new QueuedAlarms(List.of(bad, alarm -> told.add(alarm.number())))) {
            queue.onAlarm(alarm(1));
            queue.onAlarm(alarm(2));
        }

        assertThat(told).containsExactly(1L, 2L);
    }

    private void block(ConflictAlarm alarm) {
        try {
            assertThat(mayGoOn.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ConflictAlarm alarm(long number) {
        Conflict conflict = new Conflict(
                ConflictKind.STALE_WRITE,
                new ElectionName("job"),
                "",
                List.of(new Evidence("sink", "token 6 refused"), new Evidence("record", "term 7")),
                true);
        return new ConflictAlarm(number, conflict, Instant.EPOCH, Optional.empty(), 1);
    }
}
