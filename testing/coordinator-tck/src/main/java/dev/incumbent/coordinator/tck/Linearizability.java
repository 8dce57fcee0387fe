package dev.incumbent.coordinator.tck;

import dev.incumbent.model.Revision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a history of one record is linearizable: whether each call can be given one instant between its beginning and its end,
 * so that what all calls told is true of one register, one call after the other.
 *
 * <p>Wing and Gong's search, which takes calls out of the history in an order that the register allows, with Lowe's memory of the sets
 * that it has been at: <em>Testing for linearizability</em>, 2017. Exponential in the number of calls under way at once, at worst.
 */
final class Linearizability {
    /** A call's beginning or its end, in a list from which the calls that are settled are lifted. */
    private static final class Edge {
        private final int call;
        private final Operation operation;
        private final boolean isBeginning;
        private Edge previous = this;
        private Edge next = this;
        private Edge partner = this;

        private Edge(int call, Operation operation, boolean isBeginning) {
            this.call = call;
            this.operation = operation;
            this.isBeginning = isBeginning;
        }

        private long time() {
            return isBeginning ? operation.from() : operation.to();
        }

        private void link(Edge before) {
            previous = before;
            next = before.next;
            before.next.previous = this;
            before.next = this;
        }

        private void unlink() {
            previous.next = next;
            next.previous = previous;
        }

        private void relink() {
            previous.next = this;
            next.previous = this;
        }
    }

    private record Settled(Edge beginning, Revision before) {}

    private record Configuration(BitSet settled, Revision current) {}

    private final Edge head = new Edge(-1, new Operation(0, 0, new Operation.Read(Revision.ABSENT)), false);
    private final Deque<Settled> order = new ArrayDeque<>();
    private final Set<Configuration> seen = new HashSet<>();
    private final BitSet settled = new BitSet();
    private Revision current;

    private Linearizability(List<Operation> history, Revision first) {
        current = first;
        List<Edge> edges = new ArrayList<>();
        for (int call = 0; call < history.size(); call++) {
            Edge beginning = new Edge(call, history.get(call), true);
            Edge end = new Edge(call, history.get(call), false);
            beginning.partner = end;
            edges.add(beginning);
            edges.add(end);
        }
        edges.sort(Comparator.comparingLong(Edge::time).thenComparing(edge -> !edge.isBeginning));
        edges.forEach(edge -> edge.link(head.previous));
    }

    /** Is there such an order, from that revision on? */
    static boolean holds(List<Operation> history, Revision first) {
        return new Linearizability(history, first).search();
    }

    private boolean search() {
        Edge edge = head.next;
        while (head.next != head) {
            if (edge.isBeginning && settle(edge)) {
                edge = head.next;
            } else if (edge.isBeginning) {
                edge = edge.next;
            } else if (order.isEmpty()) {
                return false;
            } else {
                edge = takeBack().next;
            }
        }
        return true;
    }

    /** Puts a call next in the order, unless what it told is not true here or the search has been there. */
    private boolean settle(Edge beginning) {
        Operation.Told told = beginning.operation.told();
        if (!told.isTrueAt(current)) {
            return false;
        }
        BitSet with = (BitSet) settled.clone();
        with.set(beginning.call);
        if (!seen.add(new Configuration(with, told.after(current)))) {
            return false;
        }
        order.push(new Settled(beginning, current));
        settled.set(beginning.call);
        current = told.after(current);
        beginning.unlink();
        beginning.partner.unlink();
        return true;
    }

    private Edge takeBack() {
        Settled last = order.pop();
        current = last.before();
        settled.clear(last.beginning().call);
        last.beginning().partner.relink();
        last.beginning().relink();
        return last.beginning();
    }
}
