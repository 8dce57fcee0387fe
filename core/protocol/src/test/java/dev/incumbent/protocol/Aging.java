package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.World.Ask;
import dev.incumbent.protocol.World.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Some seconds later, told as of now: every time a machine remembers is moved back, so that situations which differ in when they are, and not in what is to
 * come, are equal.
 *
 * <p>What makes no difference to safety is forgotten: times past that are only asked whether they are; how long a term lasted, for who waits because it did
 * not last does nothing that a process which sleeps does not do; waits of less than a second; the order of the candidates.
 */
final class Aging {
    private static final long SECOND = Worlds.SECOND;
    /** As long ago as any longer: every lease of then has run out. */
    private static final long LONG_AGO = -Worlds.LEASE;

    private final long seconds;
    private final long oldestRead;

    private Aging(long seconds, List<Ask> asks) {
        this.seconds = seconds;
        oldestRead = asks.stream()
                .filter(a -> a.effect() instanceof Effect.ReadRecord)
                .mapToLong(a -> a.at() * SECOND)
                .min()
                .orElse(0);
    }

    static Peer aged(Peer peer, int seconds) {
        Role role = peer.state().role();
        List<Ask> asks = new ArrayList<>();
        List<Effect> late = new ArrayList<>();
        peer.late().forEach(effect -> late.add(PowerSwitch.aged(effect, seconds)));
        for (Ask ask : peer.asks()) {
            if (!(ask.effect() instanceof Effect.RaiseMark)) {
                asks.add(asked(ask, seconds));
            } else if (role == Role.FENCING || role == Role.LEADER) {
                asks.add(ask);
            } else if (ask.answer().isEmpty()) {
                late.add(ask.effect());
            }
        }
        int keepAlive =
                peer.keepAlive() == World.NONE ? World.NONE : (int) Math.max(LONG_AGO, peer.keepAlive() - seconds);
        return new Peer(
                new Aging(seconds, asks).state(peer.state()),
                List.copyOf(asks),
                List.copyOf(late),
                peer.task(),
                peer.told(),
                keepAlive,
                peer.lease(),
                peer.gone());
    }

    private static Ask asked(Ask ask, int seconds) {
        if (ask.effect() instanceof Effect.SwapRecord swap && isTimeless(swap.next())) {
            return ask;
        }
        int at = (int) Math.max(LONG_AGO, ask.at() - seconds);
        return new Ask(PowerSwitch.aged(ask.effect(), seconds), at, ask.answer().map(e -> told(e, at * SECOND)));
    }

    private static Event told(Event answer, long sentAt) {
        if (answer instanceof Event.RecordObserved read) {
            return new Event.RecordObserved(read.observed(), sentAt);
        }
        return answer instanceof Event.MarkRead read ? new Event.MarkRead(read.sink(), read.mark(), sentAt) : answer;
    }

    /** When it was asked to vacate, nobody asks. */
    private static boolean isTimeless(LeaderRecord next) {
        return next.leader().isEmpty();
    }

    private long ago(long nanos) {
        return nanos == Step.NEVER || nanos == Long.MIN_VALUE
                ? nanos
                : Math.max(LONG_AGO * SECOND, nanos - seconds * SECOND);
    }

    /** A time that only matters until it has come. */
    private long until(long nanos) {
        long then = ago(nanos);
        return then < SECOND ? Long.MIN_VALUE : then;
    }

    /** A time that only matters to answers of reads that left before it. */
    private long since(long nanos) {
        long then = ago(nanos);
        return then <= oldestRead ? Long.MIN_VALUE : then;
    }

    private ElectionState state(ElectionState s) {
        Standing standing = s.standing();
        return new ElectionState(
                s.role(),
                new Standing(
                        standing.campaigning(),
                        standing.well(),
                        new Standing.Place(
                                standing.listing(),
                                false,
                                Long.MIN_VALUE,
                                standing.place().since()),
                        Long.MIN_VALUE,
                        standing.mismatchTold(),
                        new Standing.Position(
                                standing.position().reached(),
                                standing.position().listed(),
                                Long.MIN_VALUE),
                        new Standing.Load(standing.load().led(), standing.load().listed(), Long.MIN_VALUE)),
                s.lease().map(l -> new HeldLease(l.id(), l.timeToLive(), ago(l.sentAtNanos()), l.ending())),
                known(s.known()),
                s.tenure().map(this::tenure),
                s.attempt().map(this::attempt),
                memory(s.memory()));
    }

    private Known known(Known k) {
        return new Known(
                k.observed(),
                Optional.empty(),
                since(k.speaksFromNanos()),
                new Vacancy(
                        k.vacantSinceNanos() == Step.NEVER ? Step.NEVER : 0,
                        k.line(),
                        aged(k.vacancy().suspicions())),
                k.questions(),
                new Known.NotBefore(
                        until(k.notBefore().readAtNanos()),
                        until(k.notBefore().swapAtNanos()),
                        k.notBefore().featuresAtNanos(),
                        k.notBefore().movesAtNanos()));
    }

    private Map<CandidateId, Suspicion> aged(Map<CandidateId, Suspicion> all) {
        Map<CandidateId, Suspicion> aged = new TreeMap<>();
        all.forEach((leader, s) -> aged.put(leader, new Suspicion(leader, s.term(), ago(s.sinceNanos()), s.reached())));
        return aged;
    }

    private Tenure tenure(Tenure t) {
        Tenure.Task task = t.task();
        Tenure.Handover h = t.handover();
        Tenure.Ending e = t.ending();
        boolean over = e.reason().isPresent() && (!task.runs() || e.lapsesAtNanos() - seconds * SECOND <= 0);
        long begunAt = task.begun() ? since(task.begunAtNanos()) : Step.NEVER;
        return new Tenure(
                new Tenure.Won(t.term(), t.won().under(), LONG_AGO * SECOND),
                over ? LONG_AGO * SECOND : ago(t.provenAtNanos()),
                holding(t.holding()),
                t.sinks(),
                new Tenure.Task(task.begun(), task.returned(), task.interrupted(), begunAt, task.begunAt()),
                new Tenure.Handover(
                        h.wished(),
                        h.successor(),
                        h.requestId(),
                        until(h.deadlineNanos()),
                        h.refused(),
                        h.catchUp(),
                        h.move()),
                new Tenure.Ending(
                        e.reason(),
                        e.asked(),
                        task.runs() ? until(e.stopByNanos()) : Step.NEVER,
                        over ? Long.MIN_VALUE : ago(e.lapsesAtNanos()),
                        e.stalled(),
                        e.obstacle()),
                t.inJeopardy());
    }

    private Tenure.Holding holding(Tenure.Holding holding) {
        Map<Long, Long> asked = new TreeMap<>();
        holding.asked().forEach((term, until) -> asked.put(term, until(until)));
        return new Tenure.Holding(asked, holding.proved());
    }

    private Attempt attempt(Attempt a) {
        return new Attempt(
                a.kind(),
                a.expected(),
                a.next(),
                isTimeless(a.next()) ? a.sentAtNanos() : ago(a.sentAtNanos()),
                a.isUncertain() ? since(a.uncertainAtNanos()) : Step.NEVER);
    }

    private static Memory memory(Memory m) {
        return new Memory(
                m.terms(), m.nonces(), new Memory.Unsettled(Optional.empty(), Step.NEVER), Duration.ZERO, List.of());
    }
}
