package dev.incumbent.fence.memory;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One election at one store: its mark, the transactions admitted under it, and the raises that wait for them, first come first served.
 *
 * <p>Every method runs under the store's lock; what they return is to be run after it.
 */
final class Gate {
    private Optional<Mark> mark = Optional.empty();
    private final Set<MemoryTransaction> admitted = new LinkedHashSet<>();
    private final Deque<PendingRaise> waiting = new ArrayDeque<>();

    Optional<Mark> mark() {
        return mark;
    }

    void check(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        if (!waiting.isEmpty()) {
            throw new NotAdmittedException("token " + token + " of " + election + " was not admitted: a raise to "
                    + waiting.peek().asked() + " waits; begin again");
        }
        rule().admit(election, token);
    }

    void enter(MemoryTransaction transaction) {
        admitted.add(transaction);
    }

    List<Runnable> leave(MemoryTransaction transaction) {
        return admitted.remove(transaction) ? settled() : List.of();
    }

    List<Runnable> raise(PendingRaise raise) {
        waiting.add(raise);
        return settled();
    }

    List<Runnable> giveUp(PendingRaise raise, String afterHowLong) {
        if (!waiting.remove(raise)) {
            return List.of();
        }
        String blockers = admitted.isEmpty() ? "an earlier raise" : admitted.toString();
        List<Runnable> answers = new ArrayList<>(settled());
        answers.add(() -> raise.fail("gave up after " + afterHowLong + ", waiting for " + blockers));
        return answers;
    }

    List<Runnable> setBackTo(Optional<Mark> restored) {
        mark = restored;
        admitted.forEach(MemoryTransaction::doom);
        admitted.clear();
        return settled();
    }

    private List<Runnable> settled() {
        List<Runnable> answers = new ArrayList<>();
        while (admitted.isEmpty() && !waiting.isEmpty()) {
            PendingRaise raise = waiting.remove();
            Raise answer = rule().raise(raise.asked());
            if (answer instanceof Raise.Raised raised) {
                mark = Optional.of(raised.inForce());
            }
            answers.add(() -> raise.answer(answer));
        }
        return answers;
    }

    private MarkRule rule() {
        return mark.map(MarkRule::at).orElse(MarkRule.unmarked());
    }
}
