package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a session is waited for that says its length twice. */
class VigilTest {
    private static final long BEGUN = 7;

    @ParameterizedTest
    @CsvSource({
        "10, 10, 10",
        "1, 10, 10",
        "10, 1, 10",
        "20, 10, 20",
        "10, -5, 10",
        "10, nonsense, 10",
        "10, 99999999999999999999, 10",
        "0, 0, 1"
    })
    void theGreaterOfBothLengthsIsCountedAndNonsenseIsNone(long spec, String annotation, long counted) {
        Vigil vigil = new Vigil();
        Stored session = new Stored(
                "session-a",
                "u",
                1,
                Map.of(),
                Map.of(Stored.RENEWAL, "r", Stored.LENGTH, annotation),
                Map.of("leaseDurationSeconds", spec));
        long end = BEGUN + TimeUnit.SECONDS.toNanos(counted);

        assertThat(vigil.isOverdue(session, BEGUN)).isFalse();
        assertThat(vigil.isOverdue(session, end)).isFalse();
        assertThat(vigil.isOverdue(session, end + 1)).isTrue();
    }
}
