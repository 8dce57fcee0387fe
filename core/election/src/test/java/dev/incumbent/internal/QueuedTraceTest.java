package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Trace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuedTraceTest {
    private static final Moment NOW = new Moment(7, Instant.EPOCH);
    private final IllegalStateException failure = new IllegalStateException("broken");

    private final OneThread platform = new OneThread();
    private final List<String> heard = new ArrayList<>();
    private final Trace queued = QueuedTrace.of(new Writing(), platform.userCode());

    @Test
    void allIsHeardInOrderAndOnAThreadOfUserCode() {
        queued.stepped(
                new ElectionName("job"),
                new Event.Woken(),
                new Step<>(ElectionState.START, List.of(), Step.NEVER),
                NOW);
        queued.sessionStepped(new SessionEvent.Woken(), new Step<>(SessionState.START, List.of(), Step.NEVER), NOW);
        queued.failed("a thing", failure);

        assertThat(heard).isEmpty();
        platform.run();
        assertThat(heard).containsExactly("job Woken[] at 7", "session Woken[] at 7", "a thing: broken");
    }

    @Test
    void oneThatHearsNothingIsNotQueued() {
        assertThat(QueuedTrace.of(Trace.NONE, platform.userCode())).isSameAs(Trace.NONE);
    }

    @Test
    void whoIsTooSlowIsToldHowMuchItHasMissedOnceItHearsAgain() {
        for (int i = 0; i < QueuedTrace.MOST + 3; i++) {
            queued.failed("event " + i, failure);
        }
        platform.run();
        assertThat(heard).hasSize(QueuedTrace.MOST).last().isEqualTo("event 9999: broken");
        heard.clear();

        queued.failed("later", failure);
        queued.failed("last", failure);
        platform.run();

        assertThat(heard)
                .containsExactly(
                        "the trace is slow: it has not heard 3 events: more than 10000 waited for it",
                        "later: broken",
                        "last: broken");
    }

    @Test
    void oneThatThrowsIsToldToItsThreadAndHearsTheNext() {
        List<String> uncaught = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> uncaught.add(String.valueOf(e.getMessage())));

        queued.failed("throw", failure);
        queued.failed("next", failure);
        platform.run();

        Thread.currentThread().setUncaughtExceptionHandler(null);
        assertThat(uncaught).containsExactly("broken");
        assertThat(heard).containsExactly("next: broken");
    }

    private final class Writing implements Trace {
        @Override
        public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
            heard.add(election + " " + event + " at " + at.nanos());
        }

        @Override
        public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
            heard.add("session " + event + " at " + at.nanos());
        }

        @Override
        public void failed(String what, Throwable thrown) {
            if (what.equals("throw")) {
                throw (IllegalStateException) thrown;
            }
            heard.add(what + ": " + thrown.getMessage());
        }
    }
}
