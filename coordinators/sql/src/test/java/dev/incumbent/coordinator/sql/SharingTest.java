package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which of the calls that wait become one statement. */
final class SharingTest {
    private static final Share.Joint<Integer, String> JOINT = (session, items) -> Map.of();

    @Test
    void upToTwoHundredAreOneStatement() {
        Deque<Request<?>> waiting = new ArrayDeque<>();
        for (int i = 0; i < 450; i++) {
            waiting.add(call(Optional.of(new Share<>(JOINT, i, i))));
        }

        assertThat(sizesOfStatements(waiting)).containsExactly(200, 200, 50);
    }

    @Test
    void oneThatSharesNothingIsSentAlone() {
        Deque<Request<?>> waiting = new ArrayDeque<>(List.of(call(Optional.empty()), call(Optional.empty())));

        assertThat(sizesOfStatements(waiting)).containsExactly(1, 1);
    }

    private static List<Integer> sizesOfStatements(Deque<Request<?>> waiting) {
        List<Integer> sizes = new ArrayList<>();
        while (!waiting.isEmpty()) {
            List<Request<?>> taken = new ArrayList<>();
            Sharing.take(waiting, taken);
            sizes.add(taken.size());
        }
        return sizes;
    }

    private static Request<String> call(Optional<Share<?, String>> share) {
        return new Request<>(session -> "alone", true, share, 0);
    }
}
