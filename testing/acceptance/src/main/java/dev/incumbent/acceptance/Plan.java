package dev.incumbent.acceptance;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** The faults of one trial, one after another, as its seed draws them: all kinds that are asked for once, in some order, then all again. */
final class Plan {
    private static final int SHORTEST_MILLIS = 2_000;
    private static final int LONGEST_MILLIS = 12_000;
    private static final int SHORTEST_REST_MILLIS = 500;
    private static final int LONGEST_REST_MILLIS = 3_000;

    private final Random random;
    private final int members;
    private final List<Fault> kinds;
    private final Deque<Fault> due = new ArrayDeque<>();

    Plan(long seed, int members, List<Fault> kinds) {
        this.random = new Random(seed);
        this.members = members;
        this.kinds = List.copyOf(kinds);
    }

    /**
     * One fault.
     *
     * @param members all members; the first is struck, unless the leader is
     * @param lasts how long at least
     * @param rest what passes afterwards, once all is well
     */
    record Stroke(Fault fault, List<Integer> members, Duration lasts, Duration rest) {
        /** The members, the leader first where it is the one to be struck. */
        List<Integer> struck(int leader) {
            List<Integer> order = new ArrayList<>(members);
            if (fault.strikesTheLeader()) {
                order.remove(Integer.valueOf(leader));
                order.add(0, leader);
            }
            return order;
        }
    }

    Stroke next() {
        if (due.isEmpty()) {
            List<Fault> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, random);
            due.addAll(shuffled);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        return new Stroke(
                due.remove(),
                order,
                between(SHORTEST_MILLIS, LONGEST_MILLIS),
                between(SHORTEST_REST_MILLIS, LONGEST_REST_MILLIS));
    }

    private Duration between(int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least));
    }
}
