package dev.incumbent.agent.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Moment;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.Conflict.Evidence;
import dev.incumbent.telling.conflict.ConflictKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** When a conflict is an alarm, when it is over, and who is told how often. Time is a number. */
class AlarmRegisterTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");
    private static final Set<String> ALL = Set.of("", "ledger");

    private final List<String> told = new ArrayList<>();
    private final List<Boolean> changes = new ArrayList<>();
    private final AlarmRegister register =
            new AlarmRegister(3, Duration.ofSeconds(15), List.of(this::hear), alarm -> changes.add(alarm.isOpen()));
    private long seconds;

    private void hear(ConflictAlarm alarm) {
        told.add(alarm.conflict().election() + (alarm.isOpen() ? " raised " : " over ") + alarm.times());
    }

    @Test
    void whatIsCertainIsRaisedAtOnceAndOnce() {
        look(certain());
        look(certain());
        pass(3600);
        look(certain());

        assertThat(told).containsExactly("job raised 1");
        assertThat(register.list().open()).singleElement().satisfies(alarm -> {
            assertThat(alarm.since()).isEqualTo(NOON);
            assertThat(alarm.until()).isEmpty();
            assertThat(alarm.number()).isEqualTo(1);
        });
        assertThat(register.openOf(JOB)).hasSize(1);
        assertThat(register.openOf(new ElectionName("other"))).isEmpty();
    }

    @Test
    void whatIsNotCertainIsRaisedOnceItsValuesHaveLasted() {
        look(doubtful("7"));
        pass(14);
        look(doubtful("7"));
        assertThat(told).isEmpty();
        assertThat(register.elections()).as("it is looked at again").containsExactly(JOB);

        pass(1);
        look(doubtful("8"));
        pass(14);
        look(doubtful("8"));
        assertThat(told).as("other values").isEmpty();

        pass(1);
        look(doubtful("8"));
        assertThat(told).containsExactly("job raised 1");
    }

    @Test
    void whatWasNotSeenInBetweenHasNotLasted() {
        look(doubtful("7"));
        pass(10);
        look();
        assertThat(register.elections()).isEmpty();
        pass(10);
        look(doubtful("7"));
        assertThat(told).isEmpty();
    }

    @Test
    void anAlarmIsOverOnceALookDoesNotSeeIt() {
        look(certain());
        pass(60);
        look();

        assertThat(told).containsExactly("job raised 1", "job over 1");
        assertThat(register.list().open()).isEmpty();
        assertThat(register.list().over())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.until()).contains(NOON.plusSeconds(60)));
    }

    @Test
    void whoCouldNotSeeKnowsNothing() {
        look(certain());
        register.looked(JOB, Set.of(), List.of(), now());
        register.looked(JOB, Set.of(""), List.of(), now());
        register.looked(new ElectionName("other"), ALL, List.of(), now());

        assertThat(told).containsExactly("job raised 1");
        assertThat(register.list().open()).hasSize(1);
    }

    @Test
    void whatComesAndGoesIsToldOnceInTenMinutes() {
        for (int i = 0; i < 30; i++) {
            look(certain());
            pass(10);
            look();
            pass(10);
        }

        assertThat(told).containsExactly("job raised 1", "job over 1");
        assertThat(register.list().over())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.times()).isEqualTo(30));
        assertThat(changes).as("streams hear of each change").hasSize(60).startsWith(true, false, true, false);
        look(certain());
        assertThat(told).as("its end was told at 10 s").hasSize(2);
        pass(10);
        look(certain());
        assertThat(told).as("ten minutes have passed").hasSize(3).endsWith("job raised 31");
        assertThat(changes).hasSize(61);
    }

    @Test
    void whatComesBackAndStaysIsToldAgain() {
        look(certain());
        pass(10);
        look();
        pass(10);
        look(certain());
        pass(589);
        look(certain());
        assertThat(told).containsExactly("job raised 1", "job over 1");
        pass(1);
        look(certain());
        pass(1);
        look(certain());
        look();

        assertThat(told).containsExactly("job raised 1", "job over 1", "job raised 2", "job over 2");
    }

    @Test
    void whatLastedLongAndComesBackASecondLaterIsTheSameAlarm() {
        look(certain());
        pass(3600);
        look();
        pass(1);
        look(certain());
        pass(1);
        look();

        assertThat(told).containsExactly("job raised 1", "job over 1");
        assertThat(register.list().over())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.times()).isEqualTo(2));
        pass(600);
        look(certain());
        assertThat(told).endsWith("job raised 1");
        assertThat(changes).containsExactly(true, false, true, false, true);
    }

    @Test
    void aListenerThatThrowsHarmsNothingAndFindsTheListAsItIs() {
        List<Integer> open = new ArrayList<>();
        AtomicReference<AlarmRegister> own = new AtomicReference<>();
        AlarmRegister register = new AlarmRegister(
                3,
                Duration.ofSeconds(15),
                List.of(
                        alarm -> {
                            throw new NoClassDefFoundError("gone");
                        },
                        alarm -> open.add(
                                Objects.requireNonNull(own.get()).list().open().size())),
                alarm -> {
                    throw new IllegalStateException("no follower");
                });
        own.set(register);
        register.looked(JOB, ALL, List.of(certain()), now());
        register.looked(JOB, ALL, List.of(), now());

        assertThat(open).containsExactly(1, 0);
        assertThat(register.list().over()).hasSize(1);
    }

    @Test
    void theNewestValuesAreListed() {
        look(certain());
        Conflict other = conflict(JOB, "99", true);
        register.looked(JOB, ALL, List.of(other), now());

        assertThat(register.list().open().get(0).conflict()).isEqualTo(other);
    }

    @Test
    void soManyAreOpenAndTheOthersAreCounted() {
        for (int i = 0; i < 5; i++) {
            ElectionName name = new ElectionName("job-" + i);
            register.looked(name, ALL, List.of(conflict(name, "9", true)), now());
        }
        assertThat(register.list().open()).hasSize(3);
        assertThat(register.list().unlisted()).isEqualTo(2);
        assertThat(told).hasSize(3);
        assertThat(register.elections())
                .as("looked at until it is over or listed")
                .hasSize(5);
        register.looked(new ElectionName("job-4"), Set.of(), List.of(), now());
        assertThat(register.list().unlisted()).as("who could not see").isEqualTo(2);

        register.looked(new ElectionName("job-4"), ALL, List.of(), now());
        assertThat(register.list().unlisted()).isEqualTo(1);
        register.looked(new ElectionName("job-0"), ALL, List.of(), now());
        ElectionName waiting = new ElectionName("job-3");
        register.looked(waiting, ALL, List.of(conflict(waiting, "9", true)), now());
        assertThat(register.list().unlisted()).isZero();
        assertThat(register.elections()).hasSize(3);
        assertThat(register.list().open()).hasSize(3);
    }

    @Test
    void soManyThatAreOverAreRemembered() {
        for (int i = 0; i < 150; i++) {
            ElectionName name = new ElectionName("job-" + i);
            register.looked(name, ALL, List.of(conflict(name, "9", true)), now());
            register.looked(name, ALL, List.of(), now());
        }

        assertThat(register.list().over()).hasSize(AlarmRegister.MOST_OVER);
        assertThat(register.list().over().get(0).conflict().election().value()).isEqualTo("job-149");
    }

    private void look(Conflict... seen) {
        register.looked(JOB, ALL, List.of(seen), now());
    }

    private void pass(long more) {
        seconds += more;
    }

    private Moment now() {
        return new Moment(TimeUnit.SECONDS.toNanos(seconds) - 5_000_000_000L, NOON.plusSeconds(seconds));
    }

    private static Conflict certain() {
        return conflict(JOB, "9", true);
    }

    private static Conflict doubtful(String mark) {
        return conflict(JOB, mark, false);
    }

    private static Conflict conflict(ElectionName election, String mark, boolean isCertain) {
        return new Conflict(
                ConflictKind.MARK_ABOVE_RECORD,
                election,
                "ledger",
                List.of(new Evidence("record", "term 4"), new Evidence("sink ledger", "mark " + mark)),
                isCertain);
    }
}
