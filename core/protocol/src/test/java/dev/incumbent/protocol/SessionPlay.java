package dev.incumbent.protocol;

import dev.incumbent.model.LeaseId;
import java.time.Duration;
import java.time.Instant;

/** Plays a transcript of one session. */
final class SessionPlay {
    private final StringBuilder out = new StringBuilder();
    private final SessionProtocol protocol = new SessionProtocol(Actor.TIMING);
    private SessionState state = SessionState.START;
    private long askedAt;
    private long wakeAt = Step.NEVER;

    static String played(String transcript) {
        SessionPlay play = new SessionPlay();
        transcript.lines().filter(line -> !line.startsWith("    ")).forEach(play::line);
        return play.out.toString();
    }

    private void line(String line) {
        out.append(line).append('\n');
        if (!line.isEmpty() && !line.startsWith("#")) {
            String[] words = line.split(" ", -1);
            long now = Long.parseLong(words[0]) * Actor.MILLI;
            step(event(words), now);
        }
    }

    private SessionEvent event(String[] words) {
        String lease = state.lease().map(held -> held.id().value()).orElse("none");
        return switch (words[1]) {
            case "opened" -> new SessionEvent.Opened();
            case "granted" ->
                new SessionEvent.Granted(
                        new LeaseId(words[2]), Duration.ofMillis(Long.parseLong(words[3])), sentAt(words));
            case "not-granted" -> new SessionEvent.GrantFailed("no answer", false);
            case "refused" -> new SessionEvent.GrantFailed("no right", true);
            case "kept" -> new SessionEvent.KeptAlive(new LeaseId(lease), sentAt(words));
            case "not-kept" -> new SessionEvent.KeepAliveFailed(new LeaseId(lease), "no answer", false);
            case "died" -> new SessionEvent.Died(new LeaseId(words.length > 2 ? words[2] : lease));
            case "stalled" -> new SessionEvent.TaskStalled();
            case "closing" -> new SessionEvent.Closing();
            case "closed" -> new SessionEvent.Closed();
            case "wakes" -> new SessionEvent.Woken();
            default -> throw new IllegalArgumentException("unknown: " + words[1]);
        };
    }

    private long sentAt(String[] words) {
        int length = words.length;
        return words[length - 2].equals("sent") ? Long.parseLong(words[length - 1]) * Actor.MILLI : askedAt;
    }

    private void step(SessionEvent event, long now) {
        Moment moment = new Moment(now, Instant.EPOCH.plusNanos(now));
        Step<SessionState, SessionEffect> step = protocol.step(state, event, moment);
        if (!step.equals(protocol.step(state, event, moment)) || step.wakeAtNanos() <= now) {
            throw new AssertionError("two different steps, or woken in the past\n" + out);
        }
        String late = now - wakeAt > Actor.MILLI ? ", woken " + Line.millis(now - wakeAt) + " ms late" : "";
        out.append("    < ").append(Line.of(event)).append(late).append('\n');
        state = step.state();
        wakeAt = step.wakeAtNanos();
        for (SessionEffect effect : step.effects()) {
            out.append("    > ").append(Line.of(effect)).append('\n');
            if (effect instanceof SessionEffect.GrantLease || effect instanceof SessionEffect.KeepAlive) {
                askedAt = now;
            }
        }
        out.append("    = ")
                .append(state.phase())
                .append(state.lease().map(held -> " " + held.id()).orElse(""))
                .append(wakeAt == Step.NEVER ? "" : ", wakes at " + Line.millis(wakeAt))
                .append('\n');
    }
}
