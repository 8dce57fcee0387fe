package dev.incumbent.examples;

import dev.incumbent.LeaderChange;
import dev.incumbent.LeaderListener;
import dev.incumbent.model.Candidate;
import java.util.function.Consumer;

/** Tells people in a sentence who leads, and why the one before does no more. */
public final class ChangeBoard implements LeaderListener {
    private final Consumer<String> shown;

    public ChangeBoard(Consumer<String> shown) {
        this.shown = shown;
    }

    @Override
    public void onChange(LeaderChange change) {
        String now = change.leader().map(Candidate::name).orElse("nobody");
        String before = change.previous()
                .map(past -> "; before it " + past.leader().name() + ", until it " + past.reason())
                .orElse("");
        shown.accept(change.election() + " is led by " + now + before);
    }
}
