package dev.incumbent.coordinator.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How calls that wait become one statement. */
final class Sharing {
    private static final int MOST = 200;

    private Sharing() {}

    /** Takes the first of them, and such of the others as may be one statement with it. */
    static void take(Deque<Request<?>> waiting, List<Request<?>> taken) {
        Request<?> head = waiting.removeFirst();
        taken.add(head);
        Optional<? extends Share<?, ?>> first = head.share();
        if (first.isEmpty()) {
            return;
        }
        Set<Object> keys = new HashSet<>();
        keys.add(first.get().key());
        for (Iterator<Request<?>> others = waiting.iterator(); others.hasNext() && taken.size() < MOST; ) {
            Request<?> other = others.next();
            boolean joins = other.share()
                    .filter(share -> share.joint() == first.get().joint() && keys.add(share.key()))
                    .isPresent();
            if (joins) {
                others.remove();
                taken.add(other);
            }
        }
    }

    /** Performs calls of one kind; those that were left out. What answers the others is added to {@code answers}. */
    @SuppressWarnings("unchecked") // Calls of one joint have its types.
    static List<Request<?>> perform(List<Request<?>> calls, ServerSession session, List<Runnable> answers)
            throws SQLException {
        List<Object> items = new ArrayList<>();
        calls.forEach(call -> items.add(call.share().orElseThrow().item()));
        Share.Joint<Object, Object> joint =
                (Share.Joint<Object, Object>) calls.get(0).share().orElseThrow().joint();
        Map<Integer, Object> done = joint.together(session, items);
        List<Request<?>> leftOut = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Object value = done.get(i);
            Request<Object> call = (Request<Object>) calls.get(i);
            if (value == null) {
                leftOut.add(call);
            } else {
                answers.add(() -> call.answer(value));
            }
        }
        return leftOut;
    }
}
