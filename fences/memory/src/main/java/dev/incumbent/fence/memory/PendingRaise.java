package dev.incumbent.fence.memory;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.Mark;
import java.util.concurrent.CompletableFuture;

/** A raise that was asked for and is answered once; compared by identity. */
final class PendingRaise {
    private final Mark asked;
    private final String what;
    private final CompletableFuture<Raise> answer = new CompletableFuture<>();

    PendingRaise(Mark asked, String what) {
        this.asked = asked;
        this.what = what;
    }

    Mark asked() {
        return asked;
    }

    CompletableFuture<Raise> answer() {
        return answer;
    }

    void answer(Raise raise) {
        answer.complete(raise);
    }

    void fail(String why) {
        answer.completeExceptionally(new SinkException(what + " " + why));
    }
}
