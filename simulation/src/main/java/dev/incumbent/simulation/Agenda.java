package dev.incumbent.simulation;

import java.util.PriorityQueue;

/** What will happen, by true time and then by the order of being put down. */
final class Agenda {
    private final PriorityQueue<Item> items = new PriorityQueue<>();
    private long now;
    private long sequence;

    /** One thing that will happen unless it is struck out. */
    static final class Item implements Comparable<Item> {
        private final long at;
        private final long sequence;
        private final Runnable action;
        private boolean struck;

        private Item(long at, long sequence, Runnable action) {
            this.at = at;
            this.sequence = sequence;
            this.action = action;
        }

        void strike() {
            struck = true;
        }

        @Override
        public int compareTo(Item other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    /** True time in nanoseconds since the world began. */
    long now() {
        return now;
    }

    Item at(long time, Runnable action) {
        Item item = new Item(Math.max(time, now), sequence++, action);
        items.add(item);
        return item;
    }

    Item in(long delay, Runnable action) {
        return at(now + delay, action);
    }

    /** Lets the next thing happen, if it is due by then. */
    boolean next(long horizon) {
        while (!items.isEmpty() && items.peek().at <= horizon) {
            Item item = items.remove();
            if (!item.struck) {
                now = item.at;
                item.action.run();
                return true;
            }
        }
        return false;
    }
}
