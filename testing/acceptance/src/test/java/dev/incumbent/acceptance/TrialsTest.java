package dev.incumbent.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.acceptance.Trials.Attempts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is made of trials that failed, and of those that were late. */
class TrialsTest {
    private static final Claim HOLDS = Claim.of("never do two lead", List.of());
    private static final Claim WRONG = Claim.of("never do two lead", List.of("two led"));
    private static final Claim LATE = Claim.inTime("somebody leads", List.of("nobody led"));
    private static final Claim IN_TIME = Claim.inTime("somebody leads", List.of());

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void whatWasLateIsRunOnceMoreAndThatCounts() throws InterruptedException {
        assertThat(holds(inTurn(List.of(HOLDS, LATE), List.of(HOLDS, IN_TIME)))).isTrue();

        assertThat(printed.toString(UTF_8))
                .contains("late, run once more alone: a")
                .contains("NOT SO  a, first: somebody leads")
                .endsWith("2 passed, 0 failed\n");
    }

    @Test
    void whatIsLateTwiceFailed() throws InterruptedException {
        assertThat(holds(inTurn(List.of(LATE), List.of(LATE)))).isFalse();
    }

    @Test
    void whatIsLateAndThenWrongFailed() throws InterruptedException {
        assertThat(holds(inTurn(List.of(HOLDS, LATE), List.of(WRONG, IN_TIME)))).isFalse();

        assertThat(printed.toString(UTF_8)).endsWith("1 passed, 1 failed\n");
    }

    @Test
    void whatIsWrongIsNeverRunOnceMore() throws InterruptedException {
        assertThat(holds(inTurn(List.of(WRONG, LATE), List.of(HOLDS, IN_TIME)))).isFalse();

        assertThat(printed.toString(UTF_8)).doesNotContain("once more").endsWith("0 passed, 2 failed\n");
    }

    @Test
    void whatBreaksOffIsNeverRunOnceMore() throws InterruptedException {
        assertThat(holds(attempt -> {
                    throw new IllegalStateException("no member leads");
                }))
                .isFalse();

        assertThat(printed.toString(UTF_8)).contains("no member leads").doesNotContain("once more");
    }

    @Test
    void nothingRunsBesideWhatIsRunOnceMore() throws InterruptedException {
        CountDownLatch isLate = new CountDownLatch(1);
        AtomicBoolean isOver = new AtomicBoolean();
        Map<String, Attempts> trials = new LinkedHashMap<>();
        trials.put("a", attempt -> {
            isLate.countDown();
            return attempt == 1 || !isOver.get() ? List.of(LATE) : List.of(IN_TIME);
        });
        trials.put("b", attempt -> {
            assertThat(isLate.await(10, TimeUnit.SECONDS)).isTrue();
            isOver.set(true);
            return List.of(HOLDS);
        });

        assertThat(new Trials(new PrintStream(printed, true, UTF_8)).judge(trials))
                .isTrue();
        assertThat(printed.toString(UTF_8).lines().filter(line -> line.startsWith("ok ")))
                .containsExactly("ok      a: somebody leads", "ok      b: never do two lead");
    }

    private boolean holds(Attempts trial) throws InterruptedException {
        return new Trials(new PrintStream(printed, true, UTF_8)).judge(Map.of("a", trial));
    }

    private static Attempts inTurn(List<Claim> first, List<Claim> second) {
        return attempt -> attempt == 1 ? first : second;
    }
}
