package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Instant;
import java.util.Map;

/**
 * Drives the beats of one process: feeds its machine, performs its effects on a transport. Its methods may be called on any thread; the transport's own thread owns its state and calls the listener.
 */
public final class BeatDriver implements AutoCloseable {
    private final BeatProtocol protocol;
    private final Rhythm rhythm;
    private final BeatTransport transport;
    private final Listener listener;
    private BeatState state = BeatState.START;

    /** Who hears of other processes, on the transport's thread. */
    public interface Listener {
        /** That process was itself heard to lead these terms. */
        void heard(CandidateId leader, Map<ElectionName, Long> terms);

        /** That process, heard in these terms, is suspected to be gone. */
        void suspected(CandidateId leader, Map<ElectionName, Long> terms, BeatEffect.Reason why);

        /** A suspicion was a mistake; a silence is so many times as long as usual from now on. */
        void mistaken(CandidateId leader, int patience);

        /** A step failed. The state is as before it, and time goes on. */
        void failed(BeatEvent event, Throwable why);
    }

    private BeatDriver(Peer me, Rhythm rhythm, BeatTransport transport, Listener listener) {
        this.protocol = new BeatProtocol(me, rhythm);
        this.rhythm = rhythm;
        this.transport = transport;
        this.listener = listener;
    }

    /** Closing it closes the transport. */
    public static BeatDriver start(CandidateId me, Rhythm rhythm, BeatTransport transport, Listener listener) {
        BeatDriver driver = new BeatDriver(new Peer(me, transport.address()), rhythm, transport, listener);
        transport.begin(driver::step);
        return driver;
    }

    /** This process has claimed, raises sinks for, or holds these terms, and no others. */
    public void leads(Map<ElectionName, Long> terms) {
        var event = new BeatEvent.Leads(terms);
        transport.execute(() -> step(event));
    }

    /** These processes lead elections that this one stands in, and no others; with their addresses. */
    public void follows(Map<CandidateId, String> leaders) {
        var event = new BeatEvent.Follows(leaders);
        transport.execute(() -> step(event));
    }

    /** This process has begun to stand in that election: the listener is told once more who was heard to lead it. */
    public void stands(ElectionName election) {
        var event = new BeatEvent.Stands(election);
        transport.execute(() -> step(event));
    }

    /** Says goodbye to all, and closes the transport. */
    @Override
    public void close() {
        transport.execute(() -> step(new BeatEvent.Closing()));
        transport.close();
    }

    private void step(BeatEvent event) {
        try {
            // Beats know no wall clock.
            Step<BeatState, BeatEffect> step =
                    protocol.step(state, event, new Moment(transport.nanos(), Instant.EPOCH));
            state = step.state();
            step.effects().forEach(this::perform);
            if (step.wakeAtNanos() != Step.NEVER) {
                transport.wakeAt(step.wakeAtNanos());
            }
        } catch (RuntimeException | Error e) {
            transport.wakeAt(transport.nanos() + rhythm.beatNanos());
            listener.failed(event, e);
        }
    }

    private void perform(BeatEffect effect) {
        if (effect instanceof BeatEffect.Dial dial) {
            transport.dial(dial.peer());
        } else if (effect instanceof BeatEffect.Send send) {
            transport.send(send.connection(), send.message());
        } else if (effect instanceof BeatEffect.Drop drop) {
            transport.drop(drop.connection());
        } else if (effect instanceof BeatEffect.Hear hear) {
            listener.heard(hear.leader(), hear.terms());
        } else if (effect instanceof BeatEffect.Suspect suspect) {
            listener.suspected(suspect.leader(), suspect.terms(), suspect.reason());
        } else if (effect instanceof BeatEffect.TellMistake mistake) {
            listener.mistaken(mistake.leader(), mistake.patience());
        }
    }
}
