package dev.incumbent.adverse;

import dev.incumbent.Leadership;
import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees all candidates of one election at once, all the time, and writes down what must not be: two that say "I lead" at one instant, or a token that is not
 * greater than every one before.
 *
 * <p>Two hold at one instant if the one holds before and after the other was seen to hold: a leadership that ended never holds again.
 */
final class Witness implements AutoCloseable {
    private static final long BETWEEN_LOOKS_NANOS = 500_000;

    private final Timeline time;
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final AtomicLong token = new AtomicLong();
    private volatile boolean over;

    Witness(Timeline time) {
        this.time = time;
    }

    void watchInBackground(List<Office.Standing> standing) {
        List<Office.Standing> all = List.copyOf(standing);
        Thread thread = new Thread(
                () -> {
                    while (!over) {
                        look(all);
                        LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
                    }
                },
                "witness");
        thread.setDaemon(true);
        thread.start();
    }

    /** Looks once, from any thread. */
    void look(List<Office.Standing> all) {
        List<Leadership> holding = new ArrayList<>();
        for (Office.Standing one : all) {
            one.candidacy().leadership().filter(Leadership::holds).ifPresent(holding::add);
        }
        for (Leadership first : holding) {
            for (Leadership second : holding) {
                if (first != second && second.holds() && first.holds()) {
                    note("two lead at once: " + first.term() + " and " + second.term());
                }
            }
        }
        newest(holding).ifPresent(this::inOrder);
    }

    private static Optional<Leadership> newest(List<Leadership> holding) {
        return holding.stream()
                .max((a, b) -> Long.compare(a.token().value(), b.token().value()));
    }

    /** A leader seen with a smaller token than was led with before is late, and must not hold. */
    private void inOrder(Leadership leader) {
        long seen = leader.token().value();
        long greatest = token.getAndAccumulate(seen, Math::max);
        if (seen < greatest && leader.holds()) {
            note("token " + seen + " leads after token " + greatest);
        }
    }

    private void note(String violation) {
        violations.add(violation + " (at " + time.nanos() + ")");
    }

    List<String> violations() {
        return violations;
    }

    long token() {
        return token.get();
    }

    @Override
    public void close() {
        over = true;
    }
}
