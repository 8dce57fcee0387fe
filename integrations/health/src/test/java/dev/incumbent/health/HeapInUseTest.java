package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.MemoryUsage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The heap of this JVM, and how figures are judged. */
class HeapInUseTest {
    @Test
    void afterARealCollectionSomethingIsInUseAndNotEverything() {
        System.gc();

        assertThat(HeapInUse.atMost(0.000_001).ask(0).isWell()).isFalse();
        assertThat(HeapInUse.atMost(100).ask(0).isWell()).isTrue();
    }

    @Test
    void whatIsInUseAfterACollectionIsComparedWithTheMost() {
        assertThat(after(900, 1_000))
                .isEqualTo(Answer.well("was 90 % full after its last collection, 900 bytes of 1 kB"));
        assertThat(after(901, 1_000))
                .isEqualTo(Answer.sick("was 90.1 % full after its last collection, 901 bytes of 1 kB, more than 90 %"));
    }

    /** So large that it lies among the long-lived objects from the beginning. */
    @Test
    void whatWasNotThereAtTheLastCollectionDoesNotCount() {
        System.gc();
        byte[] large = new byte[(int) (Runtime.getRuntime().maxMemory() / 5 * 2)];

        assertThat(HeapInUse.atMost(35).ask(0).isWell()).isTrue();
        assertThat(large).isNotEmpty();
    }

    @Test
    void whatIsNoPercentageIsRefused() {
        assertThatThrownBy(() -> HeapInUse.atMost(0)).hasMessageContaining("this one is 0.0");
        assertThatThrownBy(() -> HeapInUse.atMost(101)).hasMessageContaining("this one is 101.0");
    }

    @Test
    void whatIsNotMeasuredIsWell() {
        assertThat(new HeapInUse(90, Optional::empty).ask(0).isWell()).isTrue();
        assertThat(new HeapInUse(90, () -> Optional.of(new MemoryUsage(0, 900, 900, -1)))
                        .ask(0)
                        .isWell())
                .isTrue();
        assertThat(after(0, 0).isWell()).isTrue();
    }

    private static Answer after(long used, long most) {
        return new HeapInUse(90, () -> Optional.of(new MemoryUsage(0, used, most, most))).ask(0);
    }
}
