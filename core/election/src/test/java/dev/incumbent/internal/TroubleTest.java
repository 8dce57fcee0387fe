package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TroubleTest {
    private final Trouble trouble = new Trouble();

    @Test
    void toldIsWhatAroseLast() {
        trouble.arose(Trouble.Kind.SESSION, "no lease");
        trouble.arose(Trouble.Kind.UNRAISED, "no sink");

        assertThat(trouble.last()).contains("no sink");

        trouble.arose(Trouble.Kind.SESSION, "still no lease");
        assertThat(trouble.last()).contains("still no lease");
    }

    @Test
    void whatIsMendedGivesWayToWhatIsNot() {
        trouble.arose(Trouble.Kind.SESSION, "no lease");
        trouble.arose(Trouble.Kind.UNRAISED, "no sink");

        trouble.mended(Trouble.Kind.UNRAISED);
        assertThat(trouble.last()).contains("no lease");

        trouble.mended(Trouble.Kind.SESSION);
        assertThat(trouble.last()).isEmpty();
    }
}
