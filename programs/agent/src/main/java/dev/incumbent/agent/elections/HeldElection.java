package dev.incumbent.agent.elections;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Leadership;
import dev.incumbent.agent.owners.Owner;
import dev.incumbent.agent.owners.OwnersEffect;
import dev.incumbent.agent.owners.OwnersEffect.Reply;
import dev.incumbent.agent.owners.OwnersEvent;
import dev.incumbent.agent.owners.OwnersProtocol;
import dev.incumbent.agent.owners.OwnersSetup;
import dev.incumbent.agent.owners.OwnersState;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One election that owners of this host stand in. All is called on the strand, but the task of a term. */
final class HeldElection {
    private final Election election;
    private final Strand strand;
    private final Optional<WatchdogOfTerms> watchdog;
    private final OwnerProcesses processes;
    private final Runnable changed;
    private final Map<Long, TermTask> tasks = new TreeMap<>();
    private final Map<String, Waiting> waiting = new TreeMap<>();
    private OwnersState state;
    private Optional<Candidacy> candidacy = Optional.empty();
    private Timeline.Alarm wake = () -> {};

    /** A heartbeat that waits for news. */
    private record Waiting(Timeline.Alarm end, Consumer<Reply> reply) {}

    /**
     * Nobody stands in it yet.
     *
     * @param changed called after each step
     */
    HeldElection(
            Election election, OwnersSetup setup, Strand strand, Optional<WatchdogOfTerms> watchdog, Runnable changed) {
        this.election = election;
        this.strand = strand;
        this.watchdog = watchdog;
        watchdog.ifPresent(one -> one.tells(this::step));
        this.processes = new OwnerProcesses(strand, this::step);
        this.changed = changed;
        this.state = OwnersState.empty(setup);
    }

    boolean isIdle() {
        return state.isIdle() && tasks.isEmpty() && waiting.isEmpty();
    }

    boolean isStanding() {
        return state.stands();
    }

    int waitingCount() {
        return waiting.size();
    }

    List<Owner> owners() {
        return state.line();
    }

    /** The token of the present term, and for how long its owner may believe that it leads. */
    Optional<LocalTerm> term() {
        return state.term()
                .map(sub ->
                        new LocalTerm(sub.token(), Math.min(remainingNanos(), state.promisedNanos(strand.nanos()))));
    }

    /** The term in which an owner was told that it leads, while it is granted to. */
    Optional<Hold> hold() {
        return state.ledToken()
                .map(token ->
                        new Hold(token, task(token).filter(TermTask::inJeopardy).isPresent()));
    }

    /** The term that the agent itself holds now, by its guard. */
    Optional<Term> held() {
        return tasks.values().stream()
                .filter(TermTask::holds)
                .map(TermTask::term)
                .findFirst();
    }

    /** Why a term ended, if it is known yet. */
    Optional<EndReason> endOf(long token) {
        return task(token).flatMap(TermTask::reason);
    }

    private Optional<TermTask> task(long token) {
        return Optional.ofNullable(tasks.get(token));
    }

    /** For how long the agent's own leadership holds. */
    private long remainingNanos() {
        return state.term()
                .flatMap(sub -> task(sub.token()))
                .map(TermTask::remainingNanos)
                .orElse(0L);
    }

    /** A program asks to stand. */
    void stand(String id, Stander stander, Consumer<Reply> reply) {
        watchdog.filter(one -> stander.watched()).ifPresent(one -> one.add(id, stander));
        if (state.setup().endsByWordAlone()) {
            stander.process().ifPresent(process -> processes.add(id, process));
        }
        ask(new OwnersEvent.Asked(id, stander.name(), stander.ttl().toNanos(), stander.watched()), reply);
    }

    /** A program leaves. */
    void ask(OwnersEvent event, Consumer<Reply> reply) {
        step(event).ifPresent(reply);
    }

    void heartbeat(Heartbeat beat, boolean mayWait, Consumer<Reply> reply) {
        step(new OwnersEvent.Heard(beat.id()));
        beat.stopped().ifPresent(token -> step(new OwnersEvent.Stopped(beat.id(), token)));
        answerWaiting(beat.id());
        long wait = mayWait ? waitNanos(beat) : 0;
        if (wait > 0 && !state.hasNews(beat.id())) {
            Timeline.Alarm end = strand.at(strand.nanos() + wait, () -> answerWaiting(beat.id()));
            waiting.put(beat.id(), new Waiting(end, reply));
        } else {
            answer(beat.id(), reply);
        }
    }

    /** Half of what an answer is worth: the owner counts from when it sent its heartbeat. */
    private long waitNanos(Heartbeat beat) {
        long worth = state.owner(beat.id())
                .map(owner -> Math.min(owner.ttlNanos(), state.setup().mostHoldNanos()))
                .orElse(0L);
        boolean longer = beat.patience().compareTo(Bounds.LONGEST_WAIT) > 0;
        return Math.min((longer ? Bounds.LONGEST_WAIT : beat.patience()).toNanos(), worth / 2);
    }

    void drain() {
        step(new OwnersEvent.Draining());
    }

    private void answerWaiting(String id) {
        Waiting one = waiting.remove(id);
        if (one != null) {
            one.end.cancel();
            answer(id, one.reply);
        }
    }

    private void answer(String id, Consumer<Reply> reply) {
        step(new OwnersEvent.AnswerDue(id, remainingNanos())).ifPresent(reply);
    }

    /** Takes one step, does what it owes, and returns the answer, if the event was a question. */
    private Optional<Reply> step(OwnersEvent event) {
        Step<OwnersState, OwnersEffect> step = OwnersProtocol.step(state, event, strand.now());
        state = step.state();
        wake.cancel();
        wake = step.wakeAtNanos() == Step.NEVER
                ? () -> {}
                : strand.at(step.wakeAtNanos(), () -> step(new OwnersEvent.TimePassed()));
        Optional<Reply> reply = Optional.empty();
        for (OwnersEffect effect : step.effects()) {
            reply = effect instanceof Reply answer ? Optional.of(answer) : reply;
            perform(effect);
        }
        List.copyOf(waiting.keySet()).stream().filter(state::hasNews).forEach(this::answerWaiting);
        watchdog.ifPresent(one -> one.keep(state));
        if (state.setup().endsByWordAlone()) {
            processes.keep(state);
        }
        changed.run();
        return reply;
    }

    private void perform(OwnersEffect effect) {
        if (effect instanceof OwnersEffect.Stand) {
            candidacy = Optional.of(election.campaign(this::lead));
        } else if (effect instanceof OwnersEffect.Withdraw) {
            candidacy.ifPresent(Candidacy::closeAsync);
            candidacy = Optional.empty();
        } else if (effect instanceof OwnersEffect.GiveUp over) {
            giveUp(over.token());
        } else {
            watchdog.ifPresent(one -> one.perform(effect, this::task));
        }
    }

    /** Resigns first: who returned without having been asked would wait before it stands again. A term that ends already ends as it was asked to. */
    private void giveUp(long token) {
        Optional<TermTask> task = task(token);
        if (task.filter(TermTask::isToldToStop).isEmpty()) {
            candidacy.ifPresent(Candidacy::resign);
        }
        task.ifPresent(TermTask::giveUp);
    }

    /** On the thread of the task. */
    private void lead(Leadership leadership) {
        TermTask task = new TermTask(leadership);
        strand.execute(() -> {
            tasks.put(task.token(), task);
            step(new OwnersEvent.TermBegan(task.token()));
        });
        task.await(() -> strand.execute(() -> step(new OwnersEvent.TermEnding(task.token()))));
        strand.execute(() -> {
            tasks.remove(task.token());
            changed.run();
        });
    }
}
