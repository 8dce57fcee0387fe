package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.ConflictKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** In which order alarms of several coordinators are told. */
class AlarmAnswersTest {
    @Test
    void whatWasOverLastComesFirstWhateverItsCoordinator() {
        List<ConflictAlarm> oneAfterTheOther = List.of(over(1, 30), over(2, 10), over(3, 40), over(4, 20));

        assertThat(AlarmAnswers.newestFirst(oneAfterTheOther))
                .extracting(ConflictAlarm::number)
                .containsExactly(3L, 1L, 4L, 2L);
    }

    private static ConflictAlarm over(long number, long second) {
        Conflict conflict = new Conflict(ConflictKind.STALE_WRITE, new ElectionName("job"), "", List.of(), true);
        return new ConflictAlarm(number, conflict, Instant.EPOCH, Optional.of(Instant.ofEpochSecond(second)), 1);
    }
}
