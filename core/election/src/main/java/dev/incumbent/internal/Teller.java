package dev.incumbent.internal;

import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;
import dev.incumbent.beats.BeatEffect;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Tells a process's listener, on threads of user code and in order, what a person would ask about, and no trouble twice a minute. Owned by the loop's thread. */
final class Teller {
    static final Duration QUIET = Duration.ofMinutes(1);

    /** Told otherwise: once for all elections, or with its stack. */
    private static final Set<Trouble.Kind> TOLD_OTHERWISE = EnumSet.of(Trouble.Kind.SESSION, Trouble.Kind.USER_CODE);

    private final ElectionListener listener;
    private final Serial userCode;
    private final LeaseClock clock;
    private final Map<Topic, Told> troubles = new LinkedHashMap<>();
    private final Set<ElectionName> standing = new LinkedHashSet<>();
    private Optional<Long> unreachableSince = Optional.empty();

    private record Topic(ElectionName election, Trouble.Kind kind) {}

    /** What was told last of a topic, when, and whether that it is over is still to be told. */
    private record Told(String what, long atNanos, boolean isOpen) {}

    Teller(ElectionListener listener, Platform platform, LeaseClock clock, Trace trace) {
        this.listener = listener;
        this.userCode = new Serial(platform.userCode(), trace, "the elections");
        this.clock = clock;
    }

    /** A candidacy of a user's begins; what is driven only to leave is none. */
    void stands(ElectionName election) {
        if (listener != ElectionListener.NONE && standing.add(election)) {
            tell(hearer -> hearer.onStanding(election));
        }
    }

    void left(ElectionName election) {
        if (standing.remove(election)) {
            tell(hearer -> hearer.onLeft(election));
        }
    }

    void granted(Term term) {
        tell(hearer -> hearer.onGranted(term));
    }

    void revoked(Term term, EndReason reason) {
        tell(hearer -> hearer.onRevoked(term, reason));
    }

    void jeopardy(Term term, boolean inJeopardy) {
        tell(inJeopardy ? hearer -> hearer.onJeopardy(term) : hearer -> hearer.onSafe(term));
    }

    void declined(Term term, CandidateId successor, String why) {
        tell(hearer -> hearer.onTransferDeclined(term, successor.value(), why));
    }

    void met(ElectionName election, long term, SinkId sink, Mark mark) {
        tell(hearer -> hearer.onMarkMet(election, term, sink, mark));
    }

    void failed(Term term, Throwable thrown) {
        tell(hearer -> hearer.onFailed(term, thrown));
    }

    void arose(ElectionName election, Trouble.Kind kind, String what) {
        if (listener == ElectionListener.NONE || TOLD_OTHERWISE.contains(kind)) {
            return;
        }
        Topic topic = new Topic(election, kind);
        Optional<Told> before = Optional.ofNullable(troubles.get(topic));
        if (before.filter(told -> clock.nanos() - told.atNanos() < QUIET.toNanos())
                .isEmpty()) {
            troubles.put(topic, new Told(what, clock.nanos(), true));
            tell(hearer -> hearer.onTrouble(election, what));
        }
    }

    void mended(ElectionName election, Trouble.Kind kind) {
        Topic topic = new Topic(election, kind);
        Optional.ofNullable(troubles.get(topic)).filter(Told::isOpen).ifPresent(told -> {
            troubles.put(topic, new Told(told.what(), told.atNanos(), false));
            tell(hearer -> hearer.onTroubleOver(election, told.what()));
        });
    }

    /** The coordinator gives or keeps no lease, and why; empty where it does. */
    void session(Optional<String> trouble) {
        if (trouble.isPresent() && unreachableSince.isEmpty()) {
            unreachableSince = Optional.of(clock.nanos());
            tell(hearer -> hearer.onUnreachable(trouble.get()));
        } else if (trouble.isEmpty() && unreachableSince.isPresent()) {
            Duration after = Duration.ofNanos(clock.nanos() - unreachableSince.get());
            unreachableSince = Optional.empty();
            tell(hearer -> hearer.onReachable(after));
        }
    }

    void heard(CandidateId leader) {
        tell(hearer -> hearer.onHeard(leader));
    }

    void suspected(CandidateId leader, BeatEffect.Reason why) {
        String text = why == BeatEffect.Reason.GONE
                ? "its host refuses the connection"
                : "most of those that listen to it miss it";
        tell(hearer -> hearer.onSuspected(leader, text));
    }

    void mistaken(CandidateId leader, int patience) {
        tell(hearer -> hearer.onMistaken(leader, patience));
    }

    private void tell(Consumer<ElectionListener> what) {
        if (listener != ElectionListener.NONE) {
            userCode.execute(() -> what.accept(listener));
        }
    }
}
