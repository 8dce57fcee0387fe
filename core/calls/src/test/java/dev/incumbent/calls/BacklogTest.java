package dev.incumbent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A backlog in every order of what its lane does to it, beside a plain description of who waits and which threads there are. */
class BacklogTest {
    private static final int LONGEST = 10;
    private static final int MOST_WAITING = 2;
    private static final int MOST_THREADS = 2;

    private int orders;

    private enum Happening {
        COMES,
        COMES_BACK,
        ENDS,
        STARTS,
        DOES_NOT_START,
        TAKES,
        SETTLES,
        IDLES_OUT,
        CLOSES
    }

    /** One order of happenings, played on a backlog and on a description of it. */
    private static final class Played {
        private final Backlog<Call<String>> backlog = new Backlog<>(MOST_WAITING, MOST_THREADS);
        private final List<Call<String>> waiting = new ArrayList<>();
        private final List<Call<String>> served = new ArrayList<>();
        private int starting;
        private int free;
        private int busy;
        private boolean closed;

        /** False where that cannot happen now. */
        boolean play(Happening happening) {
            return switch (happening) {
                case COMES -> comes(false);
                case COMES_BACK -> !served.isEmpty() && comes(true);
                case ENDS -> ends();
                case STARTS -> starts();
                case DOES_NOT_START -> doesNotStart();
                case TAKES -> takes();
                case SETTLES -> settles();
                case IDLES_OUT -> idlesOut();
                case CLOSES -> closes();
            };
        }

        private boolean comes(boolean back) {
            Call<String> call = back ? served.get(0) : new Call<>(true, 1);
            Backlog.Place place = back ? backlog.first(call) : backlog.last(call);
            if (closed) {
                assertThat(place).isEqualTo(Backlog.Place.CLOSED);
                return true;
            }
            if (!back && waiting.size() >= MOST_WAITING) {
                assertThat(place).isEqualTo(Backlog.Place.FULL);
                return true;
            }
            waiting.add(back ? 0 : waiting.size(), call);
            boolean needsAThread = waiting.size() > free && starting + free + busy < MOST_THREADS;
            assertThat(place).isEqualTo(needsAThread ? Backlog.Place.WAITS_FOR_A_NEW_THREAD : Backlog.Place.WAITS);
            starting += needsAThread ? 1 : 0;
            return true;
        }

        private boolean ends() {
            if (waiting.isEmpty() || waiting.get(0).isOver()) {
                return false;
            }
            return waiting.get(0).answer("meanwhile");
        }

        private boolean starts() {
            if (starting == 0) {
                return false;
            }
            starting--;
            free++;
            backlog.frees();
            return true;
        }

        private boolean doesNotStart() {
            if (starting == 0) {
                return false;
            }
            starting--;
            List<Call<String>> left = backlog.notStarted();
            boolean nobodyIsLeft = starting + free + busy == 0;
            assertThat(left).isEqualTo(nobodyIsLeft ? waiting : List.of());
            if (nobodyIsLeft) {
                waiting.clear();
            }
            return true;
        }

        private boolean takes() {
            if (free == 0) {
                return false;
            }
            List<Call<String>> taken = backlog.taken(new Two());
            List<Call<String>> expected = List.of();
            while (expected.isEmpty() && !waiting.isEmpty()) {
                List<Call<String>> two = waiting.subList(0, Math.min(2, waiting.size()));
                expected = two.stream().filter(call -> !call.isOver()).toList();
                two.clear();
            }
            assertThat(taken).isEqualTo(expected);
            served.addAll(expected);
            free -= expected.isEmpty() ? 0 : 1;
            busy += expected.isEmpty() ? 0 : 1;
            return true;
        }

        private boolean settles() {
            if (busy == 0) {
                return false;
            }
            busy--;
            free++;
            served.clear();
            backlog.frees();
            return true;
        }

        private boolean idlesOut() {
            if (free == 0 || !waiting.isEmpty()) {
                return false;
            }
            free--;
            backlog.leaves();
            return true;
        }

        private boolean closes() {
            assertThat(backlog.closes()).isEqualTo(waiting);
            waiting.clear();
            closed = true;
            return true;
        }

        void check() {
            assertThat(backlog.isEmpty()).isEqualTo(waiting.isEmpty());
            assertThat(backlog.isClosed()).isEqualTo(closed);
            assertThat(waiting.isEmpty() || starting + free + busy > 0)
                    .as("whoever waits is waited for")
                    .isTrue();
        }
    }

    /** Takes two at a time. */
    private static final class Two implements Server<Call<String>> {
        @Override
        public void take(Deque<Call<String>> waiting, List<Call<String>> together) {
            together.add(waiting.removeFirst());
            if (!waiting.isEmpty()) {
                together.add(waiting.removeFirst());
            }
        }

        @Override
        public Runnable serve(List<Call<String>> together) {
            throw new AssertionError("not asked here");
        }
    }

    @Test
    void placesTakesAndCountsInEveryOrder() {
        play(new ArrayList<>());
        assertThat(orders).as("orders that can be").isEqualTo(570_250);
    }

    private void play(List<Happening> order) {
        Played played = new Played();
        for (Happening happening : order) {
            if (!played.play(happening)) {
                return;
            }
            played.check();
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
}
