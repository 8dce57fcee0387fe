package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BootOffsetTest {
    private final BootOffset offset = new BootOffset();

    @Test
    void theGreatestOffsetIsUsedSinceTheOthersHadLongerDelays() {
        offset.note(100, 1_090); // read 10 before it was received
        offset.note(200, 1_195);
        offset.note(300, 1_200); // much delayed

        assertThat(offset.latest()).isEqualTo(995);
        assertThat(offset.knownBefore(400)).hasValue(995);
    }

    @Test
    void aSuspendAfterTheRequestWasSentCountsAgainstTheLease() {
        offset.note(100, 1_100);
        long sentAt = 150;
        offset.note(200, 51_200); // the machine slept for 50,000 in between

        assertThat(offset.knownBefore(sentAt)).hasValue(1_000);
        assertThat(offset.knownBefore(250)).hasValue(51_000);
    }

    @Test
    void nothingIsKnownBeforeTheFirstMessage() {
        offset.note(100, 1_100);

        assertThat(offset.knownBefore(100)).isEmpty();
        assertThat(offset.knownBefore(50)).isEmpty();
    }

    @Test
    void manyReadingsCostNoMoreThanTheirBoundAndForgetTheOldest() {
        for (int i = 1; i <= 1_000; i++) {
            offset.note(i * 10L, i * 11L);
        }

        assertThat(offset.knownBefore(15)).isEmpty();
        assertThat(offset.latest()).isEqualTo(1_000);
    }
}
