package dev.incumbent.cli.run;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.cli.clock.PauseRecorder;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.peers.PeerElections;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.EndReason;
import dev.incumbent.supervisor.Inherited;
import dev.incumbent.supervisor.SignalForwarding;
import dev.incumbent.supervisor.SignalRelay;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.Reasons;
import dev.incumbent.time.PauseDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One run from its first to its last moment, on the main thread: opens what it needs, stands, attends, and lets go of all. */
final class Wrapper {
    private final Surroundings around;
    private final Plan plan;
    private final Stage stage;
    private final Bulletin bulletin;
    private Optional<TermEnd> lastTerm = Optional.empty();

    Wrapper(Surroundings around, Plan plan) {
        this.around = around;
        this.plan = plan;
        this.stage = new Stage(plan.timing().stopBudget());
        this.bulletin = new Bulletin(around, plan, stage);
    }

    Ending run() throws InterruptedException {
        SignalForwarding.install(Inherited.told().ignoredSignals(), new SignalRelay(stage));
        Launchpad pad = Launchpad.prepare(around, plan);
        Optional<PauseDetector> pauses = PauseRecorder.listen(around);
        List<Sink> sinks = new ArrayList<>();
        try {
            plan.sinks().forEach(this::reach);
            plan.sinks().forEach(url -> sinks.add(Sinks.open(around, url, raiseBound())));
            Ending ending = over(pad, sinks);
            bulletin.news("ends: " + ending.reason());
            return ending;
        } finally {
            stage.clear();
            sinks.forEach(Sink::close);
            pauses.ifPresent(PauseDetector::close);
        }
    }

    private Duration raiseBound() {
        return plan.timing().lease().dividedBy(3);
    }

    /** A sink that cannot be reached is refused before anything else, unless this process would stand again anyhow. No lease is held yet, so there is time. */
    private void reach(String url) {
        try (Sink sink = Sinks.open(around, url, Answers.CALL_BOUND)) {
            Answers.await(sink.id());
        } catch (SinkException e) {
            if (!plan.repeat()) {
                throw e;
            }
            around.say(String.valueOf(e.getMessage()));
        }
    }

    private Ending over(Launchpad pad, List<Sink> sinks) throws InterruptedException {
        Ending ending = plan.at().isPeers(around) ? amongPeers(pad, sinks) : overCoordinator(pad, sinks);
        lastTerm.filter(TermEnd::lost).ifPresent(end -> onLost(pad, end, ending));
        return ending;
    }

    private Ending amongPeers(Launchpad pad, List<Sink> sinks) throws InterruptedException {
        PeerElections peers = PeerMember.open(around, plan, bulletin);
        return campaign(pad, sinks, new RunElections(peers.candidate().id(), peers::election, peers::close));
    }

    private Ending overCoordinator(Launchpad pad, List<Sink> sinks) throws InterruptedException {
        Coordinator coordinator = plan.at()
                .open(around, CoordinatorProvider.Mode.CREATE, plan.timing().requestTimeout());
        try {
            Optional<Ending> occupied =
                    plan.isNonblocking() ? new Occupancy(around, plan, stage, coordinator).ending() : Optional.empty();
            if (occupied.isPresent()) {
                return occupied.get();
            }
            Elections elections = elections(coordinator);
            return campaign(
                    pad, sinks, new RunElections(elections.candidate().id(), elections::election, elections::close));
        } finally {
            unlessAbandoned(coordinator::close);
        }
    }

    private Ending campaign(Launchpad pad, List<Sink> sinks, RunElections elections) throws InterruptedException {
        try {
            return attendedIn(pad, sinks, elections);
        } finally {
            unlessAbandoned(elections.close());
        }
    }

    /** Whatever is closed would release the lease. */
    private void unlessAbandoned(Runnable close) {
        if (!stage.isAbandoned()) {
            close.run();
        }
    }

    private Elections elections(Coordinator coordinator) {
        plan.who().check(plan.timing().lease());
        Vigil vigil = new Vigil(bulletin);
        Elections.Builder builder = Elections.over(coordinator)
                .timing(plan.timing())
                .timeline(around.timeline())
                .trace(vigil)
                .keepWhileTaskRuns()
                .quiet();
        plan.who().tell(builder);
        BeatFlags.tell(plan.beats(), bulletin, builder);
        Elections elections = opened(builder);
        vigil.me(elections.candidate().id());
        return elections;
    }

    /** Where it shall be heard it cannot listen, if it does not open. */
    private Elections opened(Elections.Builder builder) {
        try {
            return builder.open();
        } catch (IllegalStateException unheard) {
            if (plan.beats().isPresent()) {
                throw Refusal.configuration("--beats: " + unheard.getMessage());
            }
            throw unheard;
        }
    }

    private Ending attendedIn(Launchpad pad, List<Sink> sinks, RunElections elections) throws InterruptedException {
        long begun = around.timeline().nanos();
        OptionalLong until = longestWait()
                .map(wait -> OptionalLong.of(begun + wait.toNanos()))
                .orElseGet(OptionalLong::empty);
        Optional<HealthWatch> health = watch(pad, elections);
        try {
            campaign(pad, sinks, elections, health);
            return attended(until);
        } finally {
            if (health.isPresent()) { // no reference to the method, which would load the class in every run
                health.get().close();
            }
        }
    }

    /** Asked before this process stands. */
    private Optional<HealthWatch> watch(Launchpad pad, RunElections elections) throws InterruptedException {
        if (plan.health().isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> environment = pad.environment(elections.me());
        return Optional.of(HealthWatch.begin(plan.health().get(), pad, environment, bulletin));
    }

    private void campaign(Launchpad pad, List<Sink> sinks, RunElections elections, Optional<HealthWatch> health) {
        CommandTask task = new CommandTask(plan, pad, stage, bulletin, end -> stage.leave(() -> termEnded(pad, end)));
        Election guarded = elections.election().apply(plan.election().value()).guarding(sinks.toArray(new Sink[0]));
        Candidacy candidacy =
                plan.stonith().map(guarded::withStonith).orElse(guarded).campaign(task);
        if (health.isPresent()) {
            health.get().govern(candidacy);
        }
    }

    private Ending attended(OptionalLong until) throws InterruptedException {
        Optional<Ending> verdict = stage.attend(around.timeline()::nanos, until);
        if (verdict.isEmpty() && !stage.hasEverLed()) {
            giveUp();
        }
        Ending ending =
                stage.attend(around.timeline()::nanos, OptionalLong.empty()).orElseThrow();
        if (stage.isAbandoned()) {
            around.say(plan.election()
                    + ": ends before --hold-at-least is over; others do not lead before the lease ends, in "
                    + DurationText.format(plan.timing().lease()) + " at most");
        }
        return ending;
    }

    /** The time to wait is over. */
    private void giveUp() {
        OptionalInt outage = bulletin.outage();
        Ending ending =
                outage.isPresent() ? Ending.refused(outage.getAsInt()) : Ending.notAcquired(plan.conflictCode());
        if (stage.giveUp(ending)) {
            around.say(plan.election() + ": not acquired within "
                    + DurationText.format(longestWait().orElseThrow()));
        }
    }

    /** Who must lead at once gets a lease's time for what has to be asked. */
    private Optional<Duration> longestWait() {
        return plan.isNonblocking() ? Optional.of(plan.timing().lease()) : plan.patience();
    }

    private void termEnded(Launchpad pad, TermEnd end) {
        Optional<EndReason> reason = reasonOf(end);
        Ending ending = end.because(reason);
        boolean goesOn = end.isWorthAnotherTry() && plan.repeat() && !stage.isTerminated();
        ending.sentence(plan.command().get(0))
                .ifPresent(why -> around.say(plan.election() + ": " + why + (goesOn ? "; stands again" : "")));
        if (end.isCutShort()) {
            around.say(plan.election() + ": the leadership ended before --hold-at-least was over: "
                    + reason.map(Reasons::word).orElse("lost"));
        }
        if (goesOn && end.lost()) {
            onLost(pad, end, ending);
        } else if (!goesOn) {
            lastTerm = Optional.of(end);
            stage.conclude(ending);
        }
    }

    /** The term is over within a step of the task's return. */
    private static Optional<EndReason> reasonOf(TermEnd end) {
        try {
            return Optional.of(end.leadership().ended().toCompletableFuture().get(1, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException untold) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void onLost(Launchpad pad, TermEnd end, Ending ending) {
        plan.hooks().onLost().ifPresent(line -> {
            Map<String, String> environment = new HashMap<>(pad.environment(end.leadership()));
            environment.put("INCUMBENT_REASON", ending.reason());
            if (!Hook.run(pad, line, environment, plan.timing().lease()).orElse(false)) {
                around.say("the command of --on-lost failed");
            }
        });
    }
}
