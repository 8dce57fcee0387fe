package dev.incumbent.health;

import dev.incumbent.Candidacy;
import dev.incumbent.health.Condition.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * What is believed of all checks of a monitor, and so of this process: it is well where each check is. Tells it to candidacies at once, and to listeners later.
 * Thread-safe; blocks nobody.
 */
final class Verdict {
    private final List<Entry> entries;
    private final List<Candidacy> governed = new ArrayList<>();
    private final Telling telling;
    private final CountDownLatch unasked;
    private Status status = new Status(false, "");

    /** One check. */
    private record Entry(Rhythm rhythm, Belief belief, Condition condition) {
        /** The condition keeps the last answer that speaks for it. */
        Entry after(Answer answer) {
            Belief next = belief.after(answer.isWell(), rhythm);
            boolean speaksForIt = answer.isWell() == (next.state() == State.WELL);
            String why = speaksForIt ? answer.why() : condition.why();
            return new Entry(rhythm, next, new Condition(condition.check(), next.state(), why));
        }
    }

    /** Why is empty while it is well, and before each check was asked. */
    private record Status(boolean isWell, String why) {}

    Verdict(List<HealthCheck> checks, List<Rhythm> rhythms, Telling telling) {
        List<Entry> all = new ArrayList<>();
        for (int i = 0; i < checks.size(); i++) {
            Condition condition = new Condition(checks.get(i).name(), State.UNASKED, "");
            all.add(new Entry(rhythms.get(i), Belief.UNASKED, condition));
        }
        this.entries = all;
        this.telling = telling;
        this.unasked = new CountDownLatch(all.size());
    }

    /** One answer of the check with that number. */
    synchronized void answered(int check, Answer answer) {
        Entry before = entries.get(check);
        Entry now = before.after(answer);
        entries.set(check, now);
        if (before.belief().state() != now.belief().state()) {
            telling.tell(listener -> listener.onChange(now.condition()));
            decide();
        }
        if (before.belief().state() == State.UNASKED) {
            unasked.countDown();
        }
    }

    private void decide() {
        boolean isWell = entries.stream().allMatch(entry -> entry.condition().isWell());
        String why = entries.stream()
                .map(Entry::condition)
                .filter(condition -> condition.state() == State.SICK)
                .map(Condition::sentence)
                .collect(Collectors.joining("; "));
        Status next = new Status(isWell, why);
        if (!next.equals(status)) {
            status = next;
            governed.forEach(this::apply);
            tell(next);
        }
    }

    private void tell(Status next) {
        if (next.isWell()) {
            telling.tell(HealthListener::onWell);
        } else if (!next.why().isEmpty()) {
            telling.tell(listener -> listener.onSick(next.why()));
        }
    }

    /** None of these calls waits for anything. */
    private void apply(Candidacy candidacy) {
        if (status.isWell() || status.why().isEmpty()) {
            candidacy.setHealthy(status.isWell());
        } else {
            candidacy.setUnhealthy(status.why());
        }
    }

    synchronized void govern(Candidacy candidacy) {
        governed.add(candidacy);
        apply(candidacy);
    }

    synchronized void release(Candidacy candidacy) {
        governed.removeIf(one -> one == candidacy);
    }

    synchronized boolean isWell() {
        return status.isWell();
    }

    synchronized List<Condition> conditions() {
        return entries.stream().map(Entry::condition).toList();
    }

    /** Waits until each check was asked once, and has answered or not. */
    void awaitAnswers() throws InterruptedException {
        unasked.await();
    }

    /** Nobody waits any more for answers that will not come. */
    void close() {
        entries.forEach(entry -> unasked.countDown());
    }
}
