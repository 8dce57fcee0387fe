package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cache of all watches in every order of what may happen to it and to the store. */
@Tag("trial")
class LeaseCacheOrdersTest {
    private static final int LONGEST = 5;
    private static final int LONG = 40;
    private static final int MANY = 500;
    private static final long A_WHILE = PlayedCache.LEASE + 2 * PlayedCache.PERIOD;

    private int orders;

    /** What happens; false where that cannot happen now. */
    private enum Happening {
        RECORD_IS_WRITTEN,
        SESSION_IS_RENEWED,
        SESSION_IS_DELETED,
        STORE_GOES_BACK,
        ONE_JOINS,
        ONE_LEAVES,
        LIST_IS_OLD,
        LIST_IS_NEW,
        LIST_IS_UNANSWERED,
        PROBE_IS_ANSWERED,
        PROBE_IS_UNANSWERED,
        STREAM_BEGINS,
        STREAM_TELLS_NEXT,
        STREAM_ENDS,
        STREAM_BREAKS,
        STREAM_EXPIRES,
        BURIAL_IS_ANSWERED,
        BURIAL_IS_UNANSWERED,
        IT_WAKES;

        boolean happen(PlayedCache played) {
            return switch (this) {
                case RECORD_IS_WRITTEN -> {
                    played.writeRecord();
                    yield true;
                }
                case SESSION_IS_RENEWED -> played.renewSession();
                case SESSION_IS_DELETED -> played.deleteSession();
                case STORE_GOES_BACK -> played.goBack();
                case ONE_JOINS -> {
                    played.joins();
                    yield true;
                }
                case ONE_LEAVES -> played.leaves();
                case LIST_IS_OLD -> played.listIsOld();
                case LIST_IS_NEW -> played.listIsNew();
                case LIST_IS_UNANSWERED -> played.listIsUnanswered();
                case PROBE_IS_ANSWERED -> played.probeIsAnswered();
                case PROBE_IS_UNANSWERED -> played.probeIsUnanswered();
                case STREAM_BEGINS -> played.streamBegins();
                case STREAM_TELLS_NEXT -> played.streamTellsNext();
                case STREAM_ENDS -> played.streamEnds(Ending.IN_ORDER);
                case STREAM_BREAKS -> played.streamEnds(Ending.BROKEN);
                case STREAM_EXPIRES -> played.streamEnds(Ending.refused(Answer.GONE, 0));
                case BURIAL_IS_ANSWERED -> played.burialIsAnswered();
                case BURIAL_IS_UNANSWERED -> played.burialIsUnanswered();
                case IT_WAKES -> played.wakes();
            };
        }
    }

    @Test
    void keepsItsPromisesInEveryOrder() {
        play(new ArrayList<>());
        assertThat(orders).as("orders that can be").isEqualTo(88_841);
    }

    /** What takes more happenings than all orders can be played of. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void keepsItsPromisesInLongOrders(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < MANY; i++) {
            List<Happening> order = drawn(random);
            assertThat(check(order, true)).isTrue();
        }
    }

    private static List<Happening> drawn(Random random) {
        Happening[] all = Happening.values();
        PlayedCache played = new PlayedCache();
        List<Happening> order = new ArrayList<>();
        try {
            while (order.size() < LONG) {
                Happening next = all[random.nextInt(all.length)];
                if (next.happen(played)) {
                    order.add(next);
                }
            }
        } catch (AssertionError failure) {
            throw new AssertionError("after " + order + ": " + failure.getMessage(), failure);
        }
        return order;
    }

    private void play(List<Happening> order) {
        if (!check(order, order.size() == LONGEST)) {
            return;
        }
        orders++;
        if (order.size() < LONGEST) {
            for (Happening next : Happening.values()) {
                order.add(next);
                play(order);
                order.remove(order.size() - 1);
            }
        }
    }

    /** Plays an order; false where it cannot be. */
    private static boolean check(List<Happening> order, boolean heals) {
        try {
            PlayedOrder played = new PlayedOrder(order);
            if (played.isPossible && heals) {
                played.healsWithStreams();
                new PlayedOrder(order).healsWithoutStreams();
            }
            return played.isPossible;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(order + ": " + failure.getMessage(), failure);
        }
    }

    /** One order, played from the beginning. */
    private static final class PlayedOrder {
        private final PlayedCache cache = new PlayedCache();
        private final boolean isPossible;

        PlayedOrder(List<Happening> order) {
            isPossible = order.stream().allMatch(happening -> happening.happen(cache));
        }

        /** Afterwards the server answers whatever it is asked. */
        void healsWithStreams() {
            long end = cache.now() + A_WHILE;
            do {
                while (cache.streamBegins() || cache.streamTellsNext() || isAnswered()) {
                    // All that it is asked at this instant.
                }
            } while (cache.now() < end && cache.wakes());
            cache.checkAllKnow();
        }

        /** Afterwards it answers everything but streams, which it refuses. */
        void healsWithoutStreams() {
            long end = cache.now() + A_WHILE;
            long lists = cache.lists;
            do {
                while (cache.streamEnds(Ending.BROKEN) || isAnswered()) {
                    // All that it is asked at this instant.
                }
            } while (cache.now() < end && cache.wakes());
            cache.checkAllKnow();
            PlayedCache.check(cache.lists - lists <= 3 + A_WHILE / PlayedCache.PERIOD, "lists too often");
        }

        private boolean isAnswered() {
            return cache.listIsNew() || cache.probeIsAnswered() || cache.burialIsAnswered();
        }
    }
}
