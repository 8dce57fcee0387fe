package dev.incumbent.micrometer;

import dev.incumbent.ElectionListener;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of all elections of a process, in a registry of Micrometer.
 *
 * <pre>{@code
 * return Elections.connect(uri).listener(ElectionMeters.in(registry)).open();
 * }</pre>
 *
 * <p>Their number does not grow with the elections, unless {@link #forEach} asks for it. Thread-safe. They tell what the log tells; nothing may be decided by them.
 */
public final class ElectionMeters implements ElectionListener {
    /** Of so many elections at a time {@link #forEach} tells each by itself. */
    public static final int MOST_ELECTIONS = 1_000;

    private final MeterRegistry registry;
    private final Tags tags;
    private final boolean tellsEach;
    private final Set<ElectionName> standing = ConcurrentHashMap.newKeySet();
    private final Map<ElectionName, Long> led = new ConcurrentHashMap<>();
    private final Set<ElectionName> jeopardy = ConcurrentHashMap.newKeySet();
    private final Map<ElectionName, Gauge> told = new ConcurrentHashMap<>();
    private final Map<EndReason, Timer> terms = new EnumMap<>(EndReason.class);
    private final Counter begun;
    private final Counter jeopardies;
    private final Counter failures;
    private final Counter troubles;
    private final Counter suspected;
    private final Counter mistaken;
    private final Timer outages;
    private volatile boolean reachable = true;

    private ElectionMeters(MeterRegistry registry, Tags tags, boolean tellsEach) {
        this.registry = registry;
        this.tags = tags;
        this.tellsEach = tellsEach;
        gauges();
        for (EndReason reason : EndReason.values()) {
            terms.put(reason, term(reason));
        }
        begun = counter("incumbent.terms.begun", "Terms that began in this process");
        jeopardies = counter("incumbent.jeopardies", "Terms whose last renewal failed while they still held");
        failures = counter("incumbent.task.failures", "Tasks of leaders that threw");
        troubles = counter(
                "incumbent.troubles",
                "Reports that something prevents this process from standing or leading; one a minute while it lasts");
        suspected = counter("incumbent.leaders.suspected", "Leaders that were not heard any more");
        mistaken = counter("incumbent.leaders.mistaken", "Suspicions that were wrong");
        outages = Timer.builder("incumbent.coordinator.outages")
                .description("How long the coordinator granted and renewed nothing, once it does again")
                .tags(tags)
                .register(registry);
    }

    private void gauges() {
        Gauge.builder("incumbent.elections.standing", standing, Set::size)
                .description("Elections that this process stands in, those that it leads among them")
                .tags(tags)
                .register(registry);
        Gauge.builder("incumbent.elections.led", led, Map::size)
                .description("Elections that this process leads")
                .tags(tags)
                .register(registry);
        Gauge.builder("incumbent.elections.jeopardy", jeopardy, Set::size)
                .description("Elections that this process leads although its last renewal failed")
                .tags(tags)
                .register(registry);
        Gauge.builder("incumbent.coordinator.reachable", this, ElectionMeters::reachability)
                .description("1 while the coordinator grants and renews the lease, else 0")
                .strongReference(true)
                .tags(tags)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    /** There from the beginning, so that the first end is a change that a rate shows. */
    private Timer term(EndReason reason) {
        return Timer.builder("incumbent.terms")
                .description("How long terms of this process lasted, and why they ended")
                .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                .tags(tags)
                .register(registry);
    }

    /** Meters whose number does not grow. */
    public static ElectionMeters in(MeterRegistry registry) {
        return in(registry, Tags.empty());
    }

    /** The same with tags: the elections of a process over several coordinators differ by one. */
    public static ElectionMeters in(MeterRegistry registry, Iterable<Tag> tags) {
        return new ElectionMeters(registry, Tags.of(tags), false);
    }

    /**
     * The same, and a gauge {@code leader.election.master.status} for each election that this process stands in, as Kubernetes' client-go names it: 1 while it
     * leads, else 0. Once it has left the election there is none. Where it stands in more than {@value #MOST_ELECTIONS}, the later ones have none.
     */
    public static ElectionMeters forEach(MeterRegistry registry) {
        return forEach(registry, Tags.empty());
    }

    /** The same with tags. */
    public static ElectionMeters forEach(MeterRegistry registry, Iterable<Tag> tags) {
        return new ElectionMeters(registry, Tags.of(tags), true);
    }

    private double reachability() {
        return reachable ? 1 : 0;
    }

    @Override
    public void onStanding(ElectionName election) {
        standing.add(election);
        tellOf(election);
    }

    @Override
    public void onLeft(ElectionName election) {
        standing.remove(election);
        Optional.ofNullable(told.remove(election)).ifPresent(registry::remove);
    }

    @Override
    public void onGranted(Term term) {
        begun.increment();
        led.put(term.election(), now());
    }

    private void tellOf(ElectionName election) {
        if (tellsEach && told.size() < MOST_ELECTIONS) {
            told.computeIfAbsent(election, this::status);
        }
    }

    private Gauge status(ElectionName election) {
        return Gauge.builder("leader.election.master.status", led, all -> all.containsKey(election) ? 1 : 0)
                .description("1 if this process leads the election of that name, 0 if it only stands in it")
                .tag("name", election.value())
                .tags(tags)
                .register(registry);
    }

    @Override
    public void onRevoked(Term term, EndReason reason) {
        jeopardy.remove(term.election());
        Optional.ofNullable(led.remove(term.election()))
                .ifPresent(since -> timer(reason).record(now() - since, TimeUnit.NANOSECONDS));
    }

    private Timer timer(EndReason reason) {
        return Objects.requireNonNull(terms.get(reason));
    }

    private long now() {
        Clock clock = registry.config().clock();
        return clock.monotonicTime();
    }

    @Override
    public void onJeopardy(Term term) {
        jeopardies.increment();
        jeopardy.add(term.election());
    }

    @Override
    public void onSafe(Term term) {
        jeopardy.remove(term.election());
    }

    @Override
    public void onFailed(Term term, Throwable thrown) {
        failures.increment();
    }

    @Override
    public void onTrouble(ElectionName election, String what) {
        troubles.increment();
    }

    @Override
    public void onUnreachable(String why) {
        reachable = false;
    }

    @Override
    public void onReachable(Duration after) {
        reachable = true;
        outages.record(after);
    }

    @Override
    public void onSuspected(CandidateId leader, String why) {
        suspected.increment();
    }

    @Override
    public void onMistaken(CandidateId leader, int patience) {
        mistaken.increment();
    }
}
