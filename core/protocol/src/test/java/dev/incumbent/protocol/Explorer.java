package dev.incumbent.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Breadth first through all that can happen, each state once: what it finds first has a shortest way there. */
final class Explorer<S> {
    /** What may happen in a state. */
    interface Space<S> {
        S start();

        void next(S state, Visit<S> visit);
    }

    /** Told of each thing that may happen, and of the state after it; {@code broken} names the invariant that does not hold there. */
    interface Visit<S> {
        void to(Supplier<String> what, S state, Optional<String> broken);
    }

    /** What was found: how many states, how far, whether that was all, and the first invariant broken with the way there. */
    record Found(int states, int depth, boolean all, Optional<String> broken, List<String> trace) {
        @Override
        public String toString() {
            return states + " states, depth " + depth + (all ? ", all" : ", cut off")
                    + broken.map(b -> ": " + b).orElse("")
                    + (trace.isEmpty() ? "" : "\n  " + String.join("\n  ", trace));
        }
    }

    private record Way<S>(Optional<Way<S>> from, Supplier<String> what, S state, int depth) {}

    private final Map<S, Boolean> seen = new HashMap<>();
    private final Deque<Way<S>> open = new ArrayDeque<>();
    private Optional<String> broken = Optional.empty();
    private List<String> trace = List.of();

    Found explore(Space<S> space, int most) {
        S start = space.start();
        seen.put(start, true);
        open.add(new Way<>(Optional.empty(), () -> "", start, 0));
        int depth = 0;
        while (!open.isEmpty() && broken.isEmpty() && seen.size() < most) {
            Way<S> way = open.remove();
            depth = way.depth();
            space.next(way.state(), (what, state, why) -> visit(way, what, state, why));
        }
        return new Found(seen.size(), depth, open.isEmpty(), broken, trace);
    }

    private void visit(Way<S> way, Supplier<String> what, S state, Optional<String> why) {
        if (broken.isPresent()) {
            return;
        }
        if (why.isPresent()) {
            broken = why;
            trace = traceOf(new Way<>(Optional.of(way), what, state, way.depth() + 1));
        } else if (seen.putIfAbsent(state, true) == null) {
            open.add(new Way<>(Optional.of(way), what, state, way.depth() + 1));
        }
    }

    private static <S> List<String> traceOf(Way<S> end) {
        List<String> trace = new ArrayList<>();
        Optional<Way<S>> at = Optional.of(end);
        while (at.isPresent()) {
            trace.add(at.get().what().get());
            at = at.get().from();
        }
        trace.remove(trace.size() - 1);
        Collections.reverse(trace);
        return trace;
    }
}
