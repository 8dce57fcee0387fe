package dev.incumbent.supervisor;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A supervised command: a small C program between this process and the command keeps the command, and all it starts,
 * alive only until the deadlines of the last {@link #lease}. It does so also when this process is frozen or killed.
 * Where the supervisor itself is killed or frozen, this process ends the command by hand.
 *
 * <p>Thread-safe; nothing here waits, save {@link #close}. Events come one at a time from a thread of the supervisor's
 * own; a listener returns soon. Times are nanoseconds of the clock given at the launch, which must be the one that
 * {@link System#nanoTime} reads or one that never runs ahead of it.
 */
public final class Supervisor implements AutoCloseable {
    /** How long a supervisor that is well may take to end all, once nobody vouches for it: more than any tree we have seen took. */
    private static final long LONGEST_FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A message's delay is below this; what differs by more has slept through a suspend. */
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So many arguments are one message, for they may be more than messages. */
    private static final int ARGUMENTS_PER_MESSAGE = 1_000;

    /** How often one that waits for what it may not end has to give a sign of life. */
    private static final long LONGEST_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanos;
    private final RunMark mark;
    private final Stragglers stragglers;
    private final SupervisorProcess supervisor;
    private final Consumer<SupervisorEvent> listener;
    private final Thread reader;
    private final Takeover takeover;
    private final long takeoverAfterNanos;

    private final Object lock = new Object();
    private final BootOffset offset;
    private final AcknowledgedLease acknowledged = new AcknowledgedLease();
    private boolean startSent;
    private boolean over;
    private boolean closing;
    private boolean awake;
    /** When it last gave a sign of life, or was asked for one first since then. */
    private OptionalLong lifeAt = OptionalLong.empty();

    private OptionalLong hungUpAt = OptionalLong.empty();
    private Optional<ControlGroup> cgroup = Optional.empty();
    private long commandGroup;
    /** Whom it may not signal, and so waits for past every deadline. */
    private final Set<Long> denied = new HashSet<>();

    private Supervisor(LaunchSpec spec, LongSupplier nanos, BootOffset offset, Consumer<SupervisorEvent> listener)
            throws SupervisorUnavailableException {
        this.nanos = nanos;
        this.offset = offset;
        this.listener = listener;
        this.mark = RunMark.fresh();
        this.stragglers = new Stragglers(mark);
        this.supervisor = SupervisorProcess.start(spec, mark);
        this.reader = new Thread(this::hear, "incumbent-supervisor-reader");
        this.reader.setDaemon(true);
        this.takeover = new Takeover(new Self(), nanos);
        this.takeoverAfterNanos = spec.killReserve().toNanos() * 2 / 3;
    }

    /** Starts a supervisor that waits, without a lease and without having started the command. */
    public static Supervisor launch(LaunchSpec spec, LongSupplier nanos, Consumer<SupervisorEvent> listener)
            throws SupervisorUnavailableException {
        return launch(spec, nanos, new BootOffset(), listener);
    }

    /** The same, in the middle of a lease: the clocks were compared before, and what is learnt of them now is added. */
    public static Supervisor launch(
            LaunchSpec spec, LongSupplier nanos, BootOffset offset, Consumer<SupervisorEvent> listener)
            throws SupervisorUnavailableException {
        Supervisor launched = new Supervisor(spec, nanos, offset, listener);
        launched.greet(spec);
        launched.reader.start();
        launched.takeover.start();
        return launched;
    }

    private void greet(LaunchSpec spec) throws SupervisorUnavailableException {
        String hello = supervisor.wire().hear().orElse("");
        if (!hello.startsWith("hello ")) {
            supervisor.process().destroyForcibly();
            supervisor.wire().close();
            throw new SupervisorUnavailableException("the supervisor " + spec.binary() + " said no hello: " + hello);
        }
        take(Answer.parse(hello));
        say("stopsig " + spec.stopSignal());
        if (!spec.cgroup().equals(LaunchSpec.NONE)) {
            say("cgroup " + spec.cgroup());
        }
        sayArguments(spec.command().inHexadecimal());
    }

    private void sayArguments(List<String> inHexadecimal) {
        for (int from = 0; from < inHexadecimal.size(); from += ARGUMENTS_PER_MESSAGE) {
            int to = Math.min(from + ARGUMENTS_PER_MESSAGE, inHexadecimal.size());
            say("arg " + String.join("\narg ", inHexadecimal.subList(from, to)));
        }
    }

    /** The mark in the environment of the command and all it starts: {@code INCUMBENT_RUN_ID}. */
    public String runId() {
        return mark.value();
    }

    /** Whether {@link #start} was called: from then on a signal concerns the command. */
    public boolean isStartSent() {
        synchronized (lock) {
            return startSent;
        }
    }

    /**
     * Vouches for the command: the stop signal at {@code stopAt}, KILL at {@code killAt}, unless renewed before
     * {@code stopAt}. The request that won or renewed the lease was sent at {@code sentAt}.
     *
     * @return false if the clocks were not compared before that, or the machine was suspended since and the command is
     *     not started yet, so that it could not be told what the lease has lost by it: nothing is vouched for, and the
     *     next renewal must be awaited
     */
    public boolean lease(long sentAtNanos, long stopAtNanos, long killAtNanos) {
        synchronized (lock) {
            OptionalLong toBoot = offset.knownBefore(sentAtNanos);
            boolean slept = toBoot.isPresent() && offset.latest() - toBoot.getAsLong() > LONGEST_DELAY_NANOS;
            if (toBoot.isEmpty() || (slept && !startSent)) {
                return false;
            }
            long killAtBoot = killAtNanos + toBoot.getAsLong();
            acknowledged.sent(killAtNanos, killAtBoot);
            say("lease " + (stopAtNanos + toBoot.getAsLong()) + " " + killAtBoot);
        }
        takeover.wake();
        return true;
    }

    /** Starts the command, or has it {@link SupervisorEvent.Refused} if {@code stopAt} has passed. */
    public void start() {
        synchronized (lock) {
            startSent = true;
            say("start");
        }
        takeover.wake();
    }

    /** Sends a signal to the command's process group. */
    public void signal(int number) {
        say("sig " + number);
    }

    /** Sends a signal that shall end the command, and KILL to whatever is left at {@code killAt}. */
    public void stop(int number, long killAtNanos) {
        synchronized (lock) {
            say("stop " + number + " " + (killAtNanos + offset.latest()));
        }
    }

    /** Kills the command and all it started, at once. */
    public void kill() {
        say("kill");
    }

    /**
     * Has the supervisor end whatever still runs, and then itself; returns when nothing does, save when called by the listener.
     * No event comes of it.
     */
    @Override
    public void close() {
        synchronized (lock) {
            closing = true;
        }
        hangUp();
        boolean interrupted = false;
        while (reader.isAlive() && reader != Thread.currentThread()) {
            try {
                reader.join();
            } catch (InterruptedException e) {
                interrupted = true; // nothing is let go before all are gone
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void hangUp() {
        synchronized (lock) {
            if (hungUpAt.isEmpty()) {
                hungUpAt = OptionalLong.of(nanos.getAsLong());
            }
        }
        supervisor.wire().hangUp();
        takeover.wake();
    }

    private void say(String line) {
        supervisor.wire().say(line);
    }

    /** A listener that throws, or a word that is none, is an end as well: nothing runs that nobody hears of. */
    private void hear() {
        try {
            boolean connected = true;
            while (connected) {
                connected = hearLine();
            }
        } catch (RuntimeException | Error failed) {
            hangUp();
            supervisor.wire().hearOut(); // it ends all, and only then is the connection over
            throw failed;
        } finally {
            connectionEnded();
        }
    }

    private boolean hearLine() {
        Optional<String> line = supervisor.wire().hear();
        line.map(Answer::parse).ifPresent(this::take);
        return line.isPresent();
    }

    private void take(Answer answer) {
        switch (answer.word()) {
            case "hello" -> noteBootTime(answer.first());
            case "awake" -> {
                noteBootTime(answer.first());
                noteAwake();
            }
            case "ack" -> {
                noteBootTime(answer.first());
                acknowledge(answer.second());
            }
            default -> tell(answer.event());
        }
    }

    private void noteAwake() {
        synchronized (lock) {
            awake = true;
            lifeAt = OptionalLong.of(nanos.getAsLong());
        }
    }

    private void noteBootTime(long bootNanos) {
        synchronized (lock) {
            offset.note(nanos.getAsLong(), bootNanos);
        }
    }

    private void acknowledge(long killAtBoot) {
        synchronized (lock) {
            acknowledged.acknowledged(killAtBoot);
        }
    }

    private void tell(SupervisorEvent event) {
        boolean toBeTold;
        synchronized (lock) {
            note(event);
            toBeTold = !closing;
        }
        if (toBeTold) {
            listener.accept(event);
        }
    }

    private void note(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.Forked forked) {
            commandGroup = forked.pid();
        } else if (event instanceof SupervisorEvent.Exited || event instanceof SupervisorEvent.Signaled) {
            commandGroup = 0; // the number may be given to another
        } else if (event instanceof SupervisorEvent.Refused) {
            startSent = false;
        } else if (event instanceof SupervisorEvent.Confined confined) {
            cgroup = Optional.of(new ControlGroup(Path.of(confined.folder())));
        } else if (event instanceof SupervisorEvent.Denied known) {
            denied.add(known.pid());
            awake = true;
            lifeAt = OptionalLong.of(nanos.getAsLong());
        } else if (event instanceof SupervisorEvent.Gone) {
            over = true;
        }
    }

    /** The end of the connection, without a last word, tells that the supervisor is dead. */
    private void connectionEnded() {
        boolean deadlinePassed;
        boolean mayHaveStarted;
        boolean toBeTold;
        long group;
        Optional<ControlGroup> confined;
        synchronized (lock) {
            deadlinePassed = acknowledged.hasPassedAt(nanos.getAsLong()); // latched before anything can be renewed
            mayHaveStarted = startSent && !over;
            toBeTold = !over && !closing;
            group = commandGroup;
            confined = cgroup;
            over = true;
        }
        supervisor.process().destroyForcibly();
        if (mayHaveStarted) {
            stragglers.killMarked(group, confined, toBeTold ? this::tellDenied : process -> {});
        }
        confined.ifPresent(ControlGroup::remove);
        supervisor.wire().close();
        takeover.wake();
        if (toBeTold) {
            listener.accept(new SupervisorEvent.Died(deadlinePassed));
        }
    }

    private void tellDenied(ProcessEntry process) {
        boolean isNew;
        synchronized (lock) {
            isNew = denied.add(process.pid());
        }
        if (isNew) {
            listener.accept(new SupervisorEvent.Denied(process.pid(), process.user(), process.name()));
        }
    }

    /** This supervisor as its takeover sees it. */
    private final class Self implements Takeover.Watched {
        @Override
        public boolean isOver() {
            synchronized (lock) {
                return over;
            }
        }

        @Override
        public OptionalLong overdueAt() {
            synchronized (lock) {
                OptionalLong deadline = deadline();
                if (denied.isEmpty() || deadline.isEmpty() || lifeAt.isEmpty()) {
                    return deadline;
                }
                long afterSignOfLife = lifeAt.getAsLong() + LONGEST_SILENCE_NANOS;
                boolean isExcused = afterSignOfLife - deadline.getAsLong() > 0;
                return isExcused ? OptionalLong.of(afterSignOfLife) : deadline;
            }
        }

        private OptionalLong deadline() {
            OptionalLong killAt = startSent ? acknowledged.killAt() : OptionalLong.empty();
            if (killAt.isPresent()) {
                long afterLease = killAt.getAsLong() + takeoverAfterNanos;
                boolean leaseIsLater = hungUpAt.isPresent() && afterLease - afterFarewell() > 0;
                return OptionalLong.of(leaseIsLater ? afterFarewell() : afterLease);
            }
            return hungUpAt.isPresent() ? OptionalLong.of(afterFarewell()) : killAt;
        }

        private long afterFarewell() {
            return hungUpAt.orElseThrow() + LONGEST_FAREWELL_NANOS;
        }

        @Override
        public void ask() {
            synchronized (lock) {
                if (awake) {
                    lifeAt = OptionalLong.of(nanos.getAsLong());
                }
                awake = false;
            }
            say("awake");
        }

        @Override
        public boolean hasAnswered() {
            synchronized (lock) {
                return awake;
            }
        }

        @Override
        public void rehearse() {
            stragglers.rehearse();
        }

        @Override
        public long costNanos() {
            return Stragglers.costBelow(supervisor.process().toHandle(), nanos);
        }

        private Optional<ControlGroup> confined() {
            synchronized (lock) {
                return cgroup;
            }
        }

        @Override
        public void takeOver() {
            confined().ifPresent(ControlGroup::kill);
            Stragglers.killBelow(supervisor.process().toHandle());
            supervisor.process().destroyForcibly(); // and the thread that hears is told
        }
    }
}
