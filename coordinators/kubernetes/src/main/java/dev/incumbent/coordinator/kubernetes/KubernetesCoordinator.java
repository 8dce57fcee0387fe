package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/** A coordinator in the Lease objects of one namespace. Its calls run on the two threads of its transport. */
final class KubernetesCoordinator implements Coordinator {
    private static final Capabilities CAPABILITIES = new Capabilities(
            Sessions.FLOOR,
            Duration.ofSeconds(1),
            Duration.ofMillis(250),
            true,
            false,
            Capabilities.ExpiryClock.OBSERVER,
            Capabilities.Consistency.LINEARIZABLE);

    private final Api api;
    private final Timeline timeline;
    private final Mode mode;
    private final Sessions sessions;
    private final Records records;
    private final Candidates candidates;
    private final LeaseWatch watch;
    private final Set<Errand<?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    KubernetesCoordinator(Api api, String namespace, Timeline timeline, Mode mode) {
        this.api = api;
        this.timeline = timeline;
        this.mode = mode;
        Leases leases = new Leases(namespace);
        Failures failures = api.failures();
        this.sessions = new Sessions(leases, failures, timeline, mode, this::written);
        this.records = new Records(leases, sessions, failures, timeline, this::written);
        this.candidates = new Candidates(leases, sessions, failures, mode, this::sweep);
        this.watch = new LeaseWatch(
                new Asking(),
                leases,
                sessions.vigil(),
                timeline,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return write(errand -> sessions.grant(errand, owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return write(errand -> sessions.keepAlive(errand, lease));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return write(errand -> sessions.revoke(errand, lease));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> asked) {
        Set<ElectionName> those = Set.copyOf(asked);
        return run(errand -> records.read(errand, those));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(errand -> records.swap(errand, election, expected, next));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return watch.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return write(errand -> candidates.enlist(errand, election, candidate));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return write(errand -> candidates.withdraw(errand, election, candidate));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> asked) {
        Set<ElectionName> those = Set.copyOf(asked);
        return run(errand -> candidates.list(errand, those));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return run(errand -> records.names(errand, prefix));
    }

    /** Empty: no clock of the cluster decides anything here. */
    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            watch.close();
            underWay.forEach(this::abandon);
            api.close();
        }
    }

    private void written(long position) {
        watch.written(position);
    }

    private void sweep(Ask ask) {
        CompletionStage<Answer> unused = run(errand -> errand.ask(ask));
    }

    private <T> CompletionStage<T> write(Function<Errand<T>, CompletionStage<T>> work) {
        if (mode == Mode.READ_ONLY) {
            return CompletableFuture.failedStage(new CoordinatorUnusableException(
                    "the coordinator at " + api.server() + " was opened to be read only"));
        }
        return run(work);
    }

    private <T> CompletionStage<T> run(Function<Errand<T>, CompletionStage<T>> work) {
        if (closed) {
            return CompletableFuture.failedStage(
                    new CoordinatorException("the coordinator at " + api.server() + " is closed", false));
        }
        Errand<T> errand = Errand.begin(api, timeline, work, underWay::add, underWay::remove);
        if (closed) {
            abandon(errand);
        }
        return errand.reply();
    }

    private void abandon(Errand<?> errand) {
        errand.abandon("the coordinator at " + api.server() + " was closed meanwhile");
    }

    /** What the watch asks for, each as an errand of its own. */
    private final class Asking implements LeaseWatch.Questions {
        @Override
        public Duration requestTimeout() {
            return api.requestTimeout();
        }

        @Override
        public void ask(Ask ask, Consumer<Optional<Answer>> then) {
            CompletionStage<Answer> unused = KubernetesCoordinator.this
                    .<Answer>run(errand -> errand.ask(ask))
                    .whenComplete((answer, failure) -> then.accept(Optional.ofNullable(answer)));
        }

        @Override
        public void bury(Stored overdue, Consumer<Boolean> then) {
            CompletionStage<Boolean> unused = KubernetesCoordinator.this
                    .<Boolean>run(errand -> sessions.bury(errand, overdue))
                    .whenComplete((isBuried, failure) -> then.accept(failure == null && isBuried));
        }

        @Override
        public ChangeStream open(Ask ask, ChangeStream.Listener listener) {
            return ChangeStream.open(api.transport(), ask, api.requestTimeout().toNanos(), listener);
        }
    }
}
