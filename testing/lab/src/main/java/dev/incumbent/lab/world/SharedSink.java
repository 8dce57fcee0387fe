package dev.incumbent.lab.world;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What the leaders write to. Each write goes to two copies: one takes all writes, the other one is fenced by the shipped rule of marks. A write that the fence refuses is there in the open copy, and its leader is told of the refusal and stops. */
public final class SharedSink {
    static final ElectionName ELECTION = new ElectionName("job");

    private final WriteChain open = new WriteChain();
    private final WriteChain fenced = new WriteChain();
    private Optional<Mark> mark = Optional.empty();
    private final NavigableSet<Long> reading = new TreeSet<>();
    private final Set<Long> over = new TreeSet<>();

    /** What a leadership knows of both copies. */
    record Known(WriteChain.Version open, WriteChain.Version fenced) {}

    /** What became of a write: what is known now, or the token in force where it was refused. */
    record Written(Known known, boolean admitted) {}

    /** The shipped rule: raises the mark, or says which one is in force. */
    public Raise raise(Mark asked) {
        Raise raise = mark.map(MarkRule::at).orElseGet(MarkRule::unmarked).raise(asked);
        if (raise instanceof Raise.Raised) {
            mark = Optional.of(asked);
        }
        return raise;
    }

    /** The mark in force. */
    public Optional<Mark> mark() {
        return mark;
    }

    /** A leadership reads what is there; as long as it is not over, writes of earlier ones are stale. A read may arrive after that. */
    Known read(long reign) {
        if (!over.contains(reign)) {
            reading.add(reign);
        }
        return new Known(open.read(), fenced.read());
    }

    /** That leadership is over. */
    void over(long reign) {
        over.add(reign);
        reading.remove(reign);
    }

    void countAnew() {
        open.countAnew();
        fenced.countAnew();
    }

    /** A write without a token goes to the open copy alone. */
    Written write(long reign, OptionalLong token, Known known) {
        boolean isStale = reading.higher(reign) != null;
        WriteChain.Version next = open.write(reign, known.open(), isStale);
        if (token.isEmpty()) {
            return new Written(new Known(next, known.fenced()), true);
        }
        if (isAdmitted(new FencingToken(token.getAsLong()))) {
            return new Written(new Known(next, fenced.write(reign, known.fenced(), isStale)), true);
        }
        return new Written(new Known(next, known.fenced()), false);
    }

    long lost() {
        return open.lost();
    }

    long stale() {
        return open.stale();
    }

    long lostThoughFenced() {
        return fenced.lost();
    }

    long staleThoughFenced() {
        return fenced.stale();
    }

    private boolean isAdmitted(FencingToken token) {
        try {
            mark.map(MarkRule::at).orElseGet(MarkRule::unmarked).admit(ELECTION, token);
            return true;
        } catch (StaleTokenException | NotRaisedException refusal) {
            return false;
        }
    }
}
