package dev.incumbent.protocol.operator;

import dev.incumbent.protocol.Step;
import java.util.Optional;

/**
 * An operator's talk with the coordinator: at most one question is open, and an answer to any other is ignored.
 *
 * @param who the operator, unique for each operation
 * @param asked how many questions were asked; names the next one, and so each swap's nonce
 * @param open the question that is not answered yet
 * @param touched a swap applied, or may have
 * @param askAgainAt when to read again though nothing is heard
 * @param stale something happened after the open question left, so what it answers may be old
 * @param giveUpAt when to stop asking a coordinator that does not answer
 */
record Talk(
        String who, long asked, Optional<String> open, boolean touched, long askAgainAt, boolean stale, long giveUpAt) {
    static Talk of(String who) {
        return new Talk(who, 0, Optional.empty(), false, Step.NEVER, false, Step.NEVER);
    }

    boolean awaits(String question) {
        return open.isPresent() && open.get().equals(question);
    }

    String nextQuestion() {
        return who + "-" + (asked + 1);
    }

    Talk asking() {
        return new Talk(who, asked + 1, Optional.of(nextQuestion()), touched, Step.NEVER, false, giveUpAt);
    }

    Talk heard() {
        return new Talk(who, asked, Optional.empty(), touched, askAgainAt, stale, giveUpAt);
    }

    Talk touching() {
        return new Talk(who, asked, open, true, askAgainAt, stale, giveUpAt);
    }

    Talk askingAgainAt(long nanos) {
        return new Talk(who, asked, open, touched, nanos, stale, giveUpAt);
    }

    Talk outdated() {
        return new Talk(who, asked, open, touched, askAgainAt, true, giveUpAt);
    }

    Talk givingUpAt(long nanos) {
        return new Talk(who, asked, open, touched, askAgainAt, stale, nanos);
    }
}
