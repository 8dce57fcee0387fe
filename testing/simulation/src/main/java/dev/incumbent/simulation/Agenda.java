package dev.incumbent.simulation;

import java.util.Arrays;

/**
 * What will happen, by true time and then by the order in which it was put down.
 *
 * <p>A heap with four children a node. What is struck out leaves at once: most of it is timeouts of calls that were answered.
 */
public final class Agenda {
    private static final int CHILDREN = 4;
    private static final int NOWHERE = -1;

    private Item[] heap = new Item[64];
    /** When each in the heap is due: looked at far more often than the items. */
    private long[] due = new long[64];

    private int size;
    private long now;
    private long sequence;

    /** Nothing will happen yet. */
    public Agenda() {}

    /** Something that may happen, again and again: each time after it was put down. */
    abstract static class Item {
        private long at;
        private long sequence;
        private int place = NOWHERE;

        abstract void happen();

        private boolean isBefore(Item other) {
            return at < other.at || (at == other.at && sequence < other.sequence);
        }
    }

    private static final class Once extends Item {
        private final Runnable action;

        Once(Runnable action) {
            this.action = action;
        }

        @Override
        void happen() {
            action.run();
        }
    }

    /** True time in nanoseconds since the world began. */
    public long now() {
        return now;
    }

    /** Lets it happen then, or now where that time has passed. */
    public void at(long time, Runnable action) {
        put(time, new Once(action));
    }

    /** Lets it happen after so long. */
    public void in(long delay, Runnable action) {
        at(now + delay, action);
    }

    /** Puts down an item that is not down yet. */
    void put(long time, Item item) {
        item.at = Math.max(time, now);
        item.sequence = sequence++;
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
            due = Arrays.copyOf(due, 2 * size);
        }
        rise(size++, item);
    }

    /** Strikes it out, if it is down. */
    void strike(Item item) {
        if (item.place != NOWHERE) {
            remove(item);
        }
    }

    /** Lets the next thing happen, if it is due by then. */
    public boolean next(long horizon) {
        if (size == 0 || due[0] > horizon) {
            return false;
        }
        Item item = heap[0];
        remove(item);
        now = item.at;
        item.happen();
        return true;
    }

    /** The last item takes its place, and goes from there where it belongs. */
    private void remove(Item item) {
        Item last = heap[--size];
        if (last != item) {
            int place = item.place;
            if (last.isBefore(item)) {
                rise(place, last);
            } else {
                sink(place, last);
            }
        }
        item.place = NOWHERE;
    }

    private void rise(int from, Item item) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) / CHILDREN;
            if (!isBefore(item, parent)) {
                break;
            }
            set(place, heap[parent]);
            place = parent;
        }
        set(place, item);
    }

    private void sink(int from, Item item) {
        int place = from;
        while (CHILDREN * place + 1 < size) {
            int child = firstChild(place);
            if (isBefore(item, child)) {
                break;
            }
            set(place, heap[child]);
            place = child;
        }
        set(place, item);
    }

    /** Which of its children is due before the others. */
    private int firstChild(int place) {
        int first = CHILDREN * place + 1;
        int end = Math.min(first + CHILDREN, size);
        for (int child = first + 1; child < end; child++) {
            if (due[child] < due[first] || (due[child] == due[first] && heap[child].sequence < heap[first].sequence)) {
                first = child;
            }
        }
        return first;
    }

    private boolean isBefore(Item item, int place) {
        return item.at < due[place] || (item.at == due[place] && item.sequence < heap[place].sequence);
    }

    private void set(int place, Item item) {
        heap[place] = item;
        due[place] = item.at;
        item.place = place;
    }
}
