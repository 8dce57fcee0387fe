package dev.incumbent.examples;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A sink of one's own: the rule is {@link MarkRule}, and what is ours is that raise and write exclude each other. This one forgets with its process, so it is
 * no sink for leaders of several. One that keeps marks stores them durably before it answers; the contract in {@code fence-tck} tries it.
 */
public final class LedgerSink implements Sink {
    private final SinkId id;
    private final Map<ElectionName, Mark> marks = new HashMap<>();
    private final List<String> lines = new ArrayList<>();
    private boolean closed;

    public LedgerSink(SinkId id) {
        this.id = id;
    }

    /** Writes a line, if that token is the mark: decided and done in one step. */
    public synchronized void append(ElectionName election, FencingToken token, String line)
            throws StaleTokenException, NotRaisedException {
        rule(election).admit(election, token);
        lines.add(line);
    }

    /** What was written. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    private MarkRule rule(ElectionName election) {
        Mark mark = marks.get(election);
        return mark == null ? MarkRule.unmarked() : MarkRule.at(mark);
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return answer(() -> {
            Raise raise = rule(election).raise(mark);
            if (raise instanceof Raise.Raised raised) {
                marks.put(election, raised.inForce());
            }
            return raise;
        });
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return answer(() -> MarksRead.of(marks).only(elections));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return answer(() -> MarksRead.of(marks));
    }

    @Override
    public CompletionStage<SinkId> id() {
        return answer(() -> id);
    }

    private synchronized <T> CompletionStage<T> answer(Supplier<T> question) {
        return closed
                ? CompletableFuture.failedStage(new SinkException("the ledger is closed"))
                : CompletableFuture.completedStage(question.get());
    }

    @Override
    public String label() {
        return "ledger in memory";
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
