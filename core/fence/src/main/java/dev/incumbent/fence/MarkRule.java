package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.Optional;

/**
 * What a mark in force admits, and which raise passes it: the one statement of the rule in Java. Sinks that decide in their own language mirror it.
 *
 * <p>A token is admitted that equals the mark. A raise passes if (the mark is lower, absent, or equal and of the same owner) and (no freeze owns it, or the
 * raiser is a freeze, or a thaw that names this very mark), and if it lifts the mark by at most {@link Raise#FURTHEST}. Immutable.
 */
public final class MarkRule {
    private static final MarkRule UNMARKED = new MarkRule(Optional.empty());

    private final Optional<Mark> inForce;

    private MarkRule(Optional<Mark> inForce) {
        this.inForce = inForce;
    }

    /** Where no mark was ever raised. */
    public static MarkRule unmarked() {
        return UNMARKED;
    }

    public static MarkRule at(Mark inForce) {
        return new MarkRule(Optional.of(inForce));
    }

    /** What becomes of a raise; the mark in force is replaced if and only if this answers {@link Raise.Raised}. */
    public Raise raise(Mark asked) {
        if (inForce.isPresent() && !inForce.get().equals(asked) && stands(inForce.get(), asked)) {
            return new Raise.Refused(inForce.get());
        }
        long from = inForce.map(mark -> mark.token().value()).orElse(0L);
        return asked.token().value() - from > Raise.FURTHEST ? new Raise.TooFar(from) : new Raise.Raised(asked);
    }

    private static boolean stands(Mark inForce, Mark asked) {
        boolean lower = inForce.token().compareTo(asked.token()) < 0;
        return !lower || (inForce.owner() instanceof MarkOwner.OfFreeze && !passesFreeze(inForce, asked.owner()));
    }

    private static boolean passesFreeze(Mark freeze, MarkOwner raiser) {
        return raiser instanceof MarkOwner.OfFreeze
                || (raiser instanceof MarkOwner.OfThaw thaw
                        && thaw.saw() == freeze.token().value());
    }

    /** Returns if the token equals the mark, else throws. */
    public void admit(ElectionName election, FencingToken token) throws StaleTokenException, NotRaisedException {
        if (inForce.isEmpty()) {
            throw new NotRaisedException(election, token, "absent");
        }
        int compared = token.compareTo(inForce.get().token());
        if (compared < 0) {
            throw new StaleTokenException(election, token, inForce.get().toString());
        }
        if (compared > 0) {
            throw new NotRaisedException(election, token, inForce.get().toString());
        }
    }
}
