package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    private static final Revision A = new Revision("a");
    private static final Revision B = new Revision("b");
    private static final Revision C = new Revision("c");

    @Test
    void callsUnderWayAtOnceMayTakeEitherOrder() {
        assertThat(holds(accepted(0, 9, A, B), read(1, 3, B), read(4, 5, B))).isTrue();
        assertThat(holds(accepted(0, 9, A, B), read(1, 3, A), read(4, 5, B))).isTrue();
        assertThat(holds(accepted(0, 9, B, C), accepted(1, 8, A, B), read(2, 3, A)))
                .isTrue();
    }

    @Test
    void aReadOlderThanAFinishedWriteOrAnEarlierReadIsRefused() {
        assertThat(holds(accepted(0, 1, A, B), read(2, 3, A))).isFalse();
        assertThat(holds(accepted(0, 9, A, B), read(1, 3, B), read(4, 5, A))).isFalse();
    }

    @Test
    void twoSwapsAcceptedOnOneRevisionAreRefused() {
        assertThat(holds(accepted(0, 9, A, B), accepted(0, 9, A, C))).isFalse();
    }

    @Test
    void aSwapThatIsRefusedFoundAnotherRevision() {
        Optional<Revision> untold = Optional.empty();

        assertThat(holds(new Operation(0, 1, new Operation.Refused(A, untold)))).isFalse();
        assertThat(holds(accepted(0, 9, A, B), new Operation(1, 2, new Operation.Refused(A, untold))))
                .isTrue();
        assertThat(holds(accepted(0, 9, A, B), new Operation(1, 2, new Operation.Refused(A, Optional.of(C)))))
                .isFalse();
    }

    @Test
    void anUncertainSwapMayApplyLateOrNever() {
        Operation uncertain = new Operation(0, Operation.NEVER, new Operation.Uncertain(A, B));

        assertThat(holds(uncertain, read(1, 2, A), read(3, 4, B))).isTrue();
        assertThat(holds(uncertain, read(1, 2, A), read(3, 4, A))).isTrue();
        assertThat(holds(uncertain, read(1, 2, B), read(3, 4, A))).isFalse();
    }

    @Test
    void longHistoriesAreJudgedAndOneCorruptedCallIsFound() {
        for (long seed = 0; seed < 20; seed++) {
            List<Operation> history = history(new SplittableRandom(seed), 1_000, 8);
            List<Operation> corrupted = new ArrayList<>(history);
            int middle = history.size() / 2;
            while (!(history.get(middle).told() instanceof Operation.Accepted)) {
                middle++;
            }
            Operation honest = history.get(middle);
            corrupted.set(middle, read(honest.from(), honest.to(), new Revision("never")));

            assertThat(Linearizability.holds(history, A)).as("seed %d", seed).isTrue();
            assertThat(Linearizability.holds(corrupted, A)).as("seed %d", seed).isFalse();
        }
    }

    /** A history made from its order: each call happens at one instant, and its beginning and end lie around it. */
    private static List<Operation> history(SplittableRandom random, int size, int clients) {
        List<Operation> history = new ArrayList<>();
        long[] free = new long[clients];
        Revision current = A;
        for (long now = 10; history.size() < size; now += 10) {
            int client = random.nextInt(clients);
            if (free[client] < now) {
                long from = Math.max(free[client] + 1, now - random.nextInt(40));
                long to = now + random.nextInt(40);
                free[client] = to;
                Operation.Told told = new Operation.Read(current);
                if (random.nextBoolean()) {
                    told = new Operation.Accepted(current, new Revision("r" + now));
                }
                current = told.after(current);
                history.add(new Operation(from, to, told));
            }
        }
        return history;
    }

    private static boolean holds(Operation... history) {
        return Linearizability.holds(List.of(history), A);
    }

    private static Operation read(long from, long to, Revision found) {
        return new Operation(from, to, new Operation.Read(found));
    }

    private static Operation accepted(long from, long to, Revision expected, Revision next) {
        return new Operation(from, to, new Operation.Accepted(expected, next));
    }
}
