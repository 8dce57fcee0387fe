package dev.incumbent.fence.tck;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a twin remembers, and the rule it goes by: right in all but its flaw. Everything is under its lock. */
final class TwinStore {
    private static final ElectionName ALL = new ElectionName("all");

    private final Set<Flaw> flaws;
    private final TwinPlants plants;
    private final Set<Mark> refusedOnce = new HashSet<>();
    private final Map<ElectionName, Mark> marks = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();
    private final Map<ElectionName, Integer> open = new LinkedHashMap<>();
    private final Map<ElectionName, Integer> raising = new LinkedHashMap<>();

    /** Was a mark passed since somebody looked at the lines? */
    private boolean isRaisedUnseen;

    /** How many were checked and have not written, where that is in two steps. */
    private int checked;

    TwinStore(Set<Flaw> flaws) {
        this.flaws = flaws;
        this.plants = new TwinPlants(flaws);
    }

    record Copy(Map<ElectionName, Mark> marks, List<String> lines) {}

    boolean has(Flaw flaw) {
        return flaws.contains(flaw);
    }

    TwinPlants plants() {
        return plants;
    }

    synchronized Copy copy() {
        return new Copy(new LinkedHashMap<>(marks), List.copyOf(lines));
    }

    synchronized void become(Copy copy) {
        marks.clear();
        marks.putAll(copy.marks());
        lines.clear();
        lines.addAll(copy.lines());
        open.clear();
        notifyAll();
    }

    synchronized void restart() {
        open.clear();
        if (has(Flaw.FORGETS_ITS_MARKS_WHEN_RESTARTED)) {
            marks.clear();
        }
        if (has(Flaw.FORGETS_FREEZES_WHEN_RESTARTED)) {
            marks.values().removeIf(mark -> mark.owner() instanceof MarkOwner.OfFreeze);
        }
        notifyAll();
    }

    synchronized void checked() {
        checked++;
        notifyAll();
    }

    /** What was checked before a raise and is written after it lands late: not before somebody has looked. */
    synchronized void awaitALook() throws InterruptedException {
        checked--;
        for (int step = 0; step < 100 && isRaisedUnseen; step++) {
            wait(10);
        }
    }

    synchronized void append(List<String> written) {
        lines.addAll(written);
    }

    synchronized List<String> lines() {
        isRaisedUnseen = false;
        notifyAll();
        return List.copyOf(lines);
    }

    synchronized Optional<Mark> mark(ElectionName election) {
        return Optional.ofNullable(marks.get(key(election)));
    }

    synchronized Map<ElectionName, Mark> marks() {
        Map<ElectionName, Mark> told = new LinkedHashMap<>(marks);
        if (has(Flaw.TELLS_ONLY_ITS_FIRST_MARK) && marks.size() > 1) {
            told.keySet().retainAll(Set.of(marks.keySet().iterator().next()));
        }
        return told;
    }

    synchronized void lift(ElectionName election, FencingToken token) {
        marks.compute(
                key(election),
                (name, mark) -> new Mark(token, mark == null ? MarkOwner.ofOperator("x") : mark.owner()));
    }

    synchronized boolean isBeingRaised(ElectionName election) {
        return raising.getOrDefault(lock(election), 0) > 0;
    }

    synchronized void enter(ElectionName election) {
        open.merge(lock(election), 1, Integer::sum);
    }

    synchronized void leave(ElectionName election) {
        open.computeIfPresent(lock(election), (name, count) -> count > 1 ? count - 1 : null);
        notifyAll();
    }

    /** Waits until nothing is admitted, or the time is up. */
    synchronized Optional<Raise> raise(ElectionName election, Mark asked, long boundMillis)
            throws InterruptedException {
        raising.merge(lock(election), 1, Integer::sum);
        Optional<Mark> before = Optional.ofNullable(marks.get(key(election)));
        boolean gaveUp = false;
        try {
            for (int step = 0; has(Flaw.CHECKS_AND_WRITES_IN_TWO_STEPS) && step < 100 && checked == 0; step++) {
                wait(10);
            }
            if (open.containsKey(lock(election)) && !has(Flaw.DOES_NOT_WAIT_FOR_THE_ADMITTED)) {
                awaitTheirEnd(election, boundMillis);
            }
            boolean blocked = open.containsKey(lock(election)) && !has(Flaw.DOES_NOT_WAIT_FOR_THE_ADMITTED);
            gaveUp = blocked;
            return blocked ? Optional.empty() : Optional.of(decide(key(election), asked, before));
        } finally {
            if (!gaveUp || !has(Flaw.KEEPS_RAISES_THAT_GAVE_UP_IN_ITS_QUEUE)) {
                raising.merge(lock(election), -1, Integer::sum);
            }
        }
    }

    private void awaitTheirEnd(ElectionName election, long boundMillis) throws InterruptedException {
        long steps = has(Flaw.WAITS_FOR_EVER) ? Long.MAX_VALUE : boundMillis / 10;
        for (long step = 0; step < steps && open.containsKey(lock(election)); step++) {
            wait(10);
        }
    }

    private Raise decide(ElectionName election, Mark asked, Optional<Mark> before) {
        Optional<Mark> there = has(Flaw.DECIDES_BEFORE_IT_WAITS) ? before : Optional.ofNullable(marks.get(election));
        Raise answer = there.map(mark -> flawed(mark, asked, before)).orElseGet(() -> unmarked(asked));
        if (answer instanceof Raise.Raised) {
            isRaisedUnseen = there.isPresent();
            marks.put(election, asked);
        } else if (has(Flaw.TELLS_A_REFUSAL_AS_SUCCESS_WHEN_ASKED_AGAIN) && !refusedOnce.add(asked)) {
            return new Raise.Raised(asked);
        }
        return answer;
    }

    private Raise unmarked(Mark asked) {
        return has(Flaw.RAISES_BY_A_TYPO)
                ? new Raise.Raised(asked)
                : MarkRule.unmarked().raise(asked);
    }

    private Raise flawed(Mark there, Mark asked, Optional<Mark> before) {
        boolean frozen = there.owner() instanceof MarkOwner.OfFreeze;
        boolean lower = there.token().compareTo(asked.token()) < 0;
        boolean passes = (has(Flaw.FORGETS_THE_OWNER) && there.token().equals(asked.token()) && !frozen)
                || (has(Flaw.COMPARES_OWNERS_WITHOUT_THEIR_CASE)
                        && there.token().equals(asked.token())
                        && there.owner()
                                .toString()
                                .equalsIgnoreCase(asked.owner().toString()))
                || (has(Flaw.COMPARES_WITH_NOT_EQUAL) && !there.token().equals(asked.token()) && !frozen)
                || (has(Flaw.RAISES_BY_A_TYPO) && lower && !frozen)
                || (has(Flaw.A_CANDIDATE_PASSES_A_FREEZE) && lower && asked.owner() instanceof MarkOwner.OfCandidate)
                || (has(Flaw.AN_OPERATOR_PASSES_A_FREEZE) && lower && asked.owner() instanceof MarkOwner.OfOperator)
                || (has(Flaw.A_THAW_PASSES_WHATEVER_IT_FINDS) && lower && asked.owner() instanceof MarkOwner.OfThaw);
        boolean stopped = (has(Flaw.REFUSES_ITS_OWNERS_REPEAT) && there.equals(asked))
                || (has(Flaw.REFUSES_A_REPEAT_THAT_WAITED) && there.equals(asked) && !before.equals(Optional.of(asked)))
                || (has(Flaw.A_FREEZE_DOES_NOT_PASS_A_FREEZE)
                        && frozen
                        && !there.equals(asked)
                        && asked.owner() instanceof MarkOwner.OfFreeze)
                || (has(Flaw.A_THAW_OWNS_LIKE_A_FREEZE)
                        && there.owner() instanceof MarkOwner.OfThaw
                        && asked.owner() instanceof MarkOwner.OfCandidate);
        return passes
                ? new Raise.Raised(asked)
                : stopped ? new Raise.Refused(there) : MarkRule.at(there).raise(asked);
    }

    private ElectionName key(ElectionName election) {
        if (has(Flaw.KNOWS_ELECTIONS_WITHOUT_THEIR_CASE)) {
            return new ElectionName(election.value().toLowerCase(Locale.ROOT));
        }
        return has(Flaw.HAS_ONE_MARK_FOR_ALL) ? ALL : election;
    }

    private ElectionName lock(ElectionName election) {
        return has(Flaw.HAS_ONE_LOCK_FOR_ALL) ? ALL : election;
    }
}
