package dev.incumbent.cli.demo;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.CandidateId;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;

/** What happens, scene by scene: a leader is killed, the next one frozen and woken too late, the last one hands over. */
final class Story {
    private static final int A_FEW = 8;
    private static final Duration LOOKS_EVERY = Duration.ofMillis(100);

    private final Cast cast;
    private final Stage stage;
    private final Narration narration;
    private final Timeline timeline;
    private final ElectionAdmin operator;

    Story(Cast cast, Stage stage, Narration narration, Timeline timeline, ElectionAdmin operator) {
        this.cast = cast;
        this.stage = stage;
        this.narration = narration;
        this.timeline = timeline;
        this.operator = operator;
    }

    /** Plays it to its end, or gives up by a {@link Refusal}. */
    Gaps play() {
        List<Actor> three = List.of(cast.start("ada"), cast.start("bob"), cast.start("cleo"));
        three.forEach(stage::awaitStanding);
        Told first = stage.awaitWritingAfter(0, A_FEW);
        long killedAt = timeline.nanos();
        Actor newcomer = killed(first);
        Duration failover = nobodyLed(killedAt, stage.awaitLeaderAfter(first.token()));
        Told second = stage.awaitWritingAfter(first.token(), A_FEW);
        Told third = frozenAndWoken(second);
        Actor bystander = three.stream()
                .filter(actor -> actor != first.by() && actor != second.by())
                .findFirst()
                .orElse(newcomer);
        return new Gaps(failover, handedOver(third, third.by() == newcomer ? bystander : newcomer));
    }

    /** Kills the leader. Whoever is started in its place is another candidate, and nobody takes it for the dead one. */
    private Actor killed(Told leader) {
        cast.kill(leader.by());
        narration.tell("kill -KILL " + leader.by().name() + ", which led with token " + leader.token() + " and wrote "
                + stage.writes(leader.token()) + " lines");
        narration.add(
                "its lease must run out first; meanwhile another " + leader.by().name() + " is started");
        return cast.start(leader.by().name());
    }

    /**
     * The freeze falls between the leader's check and its write, as a real pause does; so on waking the write is really tried. It stands still until then, for the
     * signal may reach some threads of a process late.
     */
    private Told frozenAndWoken(Told leader) {
        Actor frozen = leader.by();
        frozen.hold();
        Told checked = stage.awaitCheck(frozen);
        long frozenAt = timeline.nanos();
        frozen.freeze();
        narration.tell("kill -STOP " + frozen.name() + ", between its check (\"I lead, token " + leader.token()
                + "\") and its write");
        nobodyLed(frozenAt, stage.awaitLeaderAfter(leader.token()));
        Told successor = stage.awaitWritingAfter(leader.token(), A_FEW);
        narration.tell("kill -CONT " + frozen.name() + ", while "
                + successor.by().name() + " writes; it goes on where it was");
        frozen.wake();
        frozen.go();
        stage.awaitAnswer(checked.detail());
        return successor;
    }

    private Duration handedOver(Told leader, Actor successor) {
        CandidateId id = new CandidateId(stage.awaitStanding(successor).detail());
        awaitEnlisted(id);
        narration.tell("transfer from " + leader.by().name() + " to " + successor.name() + ", by hand");
        RequestedTransfer ended = Answers.await(operator.transferTo(id.value(), stage.patience()));
        if (!(ended instanceof RequestedTransfer.Transferred)) {
            throw Refusal.notSo("the transfer ended otherwise: " + ended);
        }
        Told next = stage.awaitLeaderAfter(leader.token());
        Duration gap = nobodyLed(stage.awaitEnd(leader.token()).atNanos(), next);
        stage.awaitWritingAfter(leader.token(), A_FEW);
        return gap;
    }

    /** It stands in its own eyes before others see it. */
    private void awaitEnlisted(CandidateId id) {
        long deadline = timeline.nanos() + stage.patience().toNanos();
        while (Answers.await(operator.status()).candidates().stream()
                .noneMatch(one -> one.candidate().id().equals(id))) {
            if (timeline.nanos() > deadline) {
                throw Refusal.notSo(id + " was never enlisted");
            }
            pause();
        }
    }

    private static void pause() {
        try {
            SystemTimeline.sleep(LOOKS_EVERY);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.notSo("interrupted");
        }
    }

    private Duration nobodyLed(long sinceNanos, Told successor) {
        Duration gap = Duration.ofNanos(successor.atNanos() - sinceNanos);
        narration.add("nobody led for " + Narration.length(gap));
        return gap;
    }
}
