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

/** Which coordinator an alarm is counted for. */
class AlarmMetersTest {
    @Test
    void aRaisedAlarmIsCountedForItsCoordinator() {
        Meters meters = new Meters();
        meters.raised(Optional.of("batch/")).onAlarm(alarm(Optional.empty()));
        meters.raised(Optional.of("batch/")).onAlarm(alarm(Optional.of(Instant.EPOCH)));

        assertThat(meters.text())
                .contains("incumbent_alarms_raised_total{coordinator=\"batch/\",kind=\"stale-write\"} 1.0\n");
    }

    private static ConflictAlarm alarm(Optional<Instant> until) {
        Conflict conflict = new Conflict(ConflictKind.STALE_WRITE, new ElectionName("job"), "", List.of(), true);
        return new ConflictAlarm(1, conflict, Instant.EPOCH, until, 1);
    }
}
