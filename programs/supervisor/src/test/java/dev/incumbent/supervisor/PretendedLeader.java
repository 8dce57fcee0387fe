package dev.incumbent.supervisor;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A wrapper as {@code incumbent run} is one, over a lease that is only pretended: renewed each third of its length,
 * until it is lost, if it is. Takes its command from its own arguments. Exits with the code of the run.
 */
public final class PretendedLeader implements SignalRelay.Target {
    private static final long LEASE = millis("lease", 60_000);
    private static final long STOP_BUDGET = millis("budget", 1000);
    private static final long LOST_AFTER = millis("lostAfter", 1_000_000);
    private static final long KILL_RESERVE = TimeUnit.MILLISECONDS.toNanos(150);

    private static final Inherited INHERITED = Inherited.told();

    private final long begun = System.nanoTime();
    private Optional<Supervisor> launched = Optional.empty();
    private RunOutcome outcome = RunOutcome.none();

    private PretendedLeader() {}

    private static long millis(String name, long standard) {
        return TimeUnit.MILLISECONDS.toNanos(Long.getLong(name, standard));
    }

    public static void main(String[] arguments) throws Exception {
        new PretendedLeader().run(arguments.length);
    }

    private void run(int arguments) throws Exception {
        SignalForwarding.install(INHERITED.ignoredSignals(), new SignalRelay(this));
        awaitDelay();
        Path binary = SupervisorBinary.findOrBuild(Path.of(System.getProperty("folder")));
        var spec = new LaunchSpec(
                        binary,
                        RawCommand.lastOfThisProcess(arguments),
                        Map.of("INCUMBENT_TOKEN", "7"),
                        SignalRelay.TERM,
                        INHERITED)
                .inCgroup(System.getProperty("cgroup", LaunchSpec.NONE));
        synchronized (this) {
            launched = Optional.of(Supervisor.launch(spec, System::nanoTime, this::heard));
            renew();
            supervisor().start();
        }
        while (System.nanoTime() - begun < LOST_AFTER) {
            LockSupport.parkNanos(LEASE / 3);
            renew();
        }
        Thread.currentThread().join();
    }

    /** So that a signal can be sent before anything is started. */
    private static void awaitDelay() {
        long until = System.nanoTime() + millis("startAfter", 0);
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    private Supervisor supervisor() {
        return launched.orElseThrow();
    }

    private void renew() {
        long sentAt = System.nanoTime();
        long killAt = sentAt + LEASE - KILL_RESERVE;
        supervisor().lease(sentAt, killAt - STOP_BUDGET, killAt);
    }

    private void heard(SupervisorEvent event) {
        outcome = outcome.after(event);
        if (event instanceof SupervisorEvent.Denied) {
            System.out.println(event);
        }
        if (outcome.isInterrupted() && outcome.end() != RunOutcome.End.NONE) {
            SignalForwarding.endByInterrupt();
        }
        if (outcome.end() != RunOutcome.End.NONE) {
            Runtime.getRuntime().halt(outcome.exitCode());
        }
    }

    @Override
    public synchronized boolean isStarted() {
        return launched.map(Supervisor::isStartSent).orElse(false);
    }

    @Override
    public void endBeforeStart(int signal) {
        Runtime.getRuntime().halt(outcome.afterSignalBeforeStart(signal).exitCode());
    }

    @Override
    public void stop(int signal) {
        supervisor().stop(signal, System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
    }

    @Override
    public void kill() {
        supervisor().kill();
    }

    @Override
    public void pass(int signal) {
        supervisor().signal(signal);
    }
}
