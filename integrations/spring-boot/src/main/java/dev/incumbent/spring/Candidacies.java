package dev.incumbent.spring;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.fence.Sink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.SmartLifecycle;

/**
 * The candidacies of this application, by the names of their elections. They begin after the web server has started, and end before it stops: a leader hands over while it still answers.
 *
 * <p>Thread-safe.
 */
public final class Candidacies implements SmartLifecycle {
    /** Before the web server's graceful shutdown, which is 1024 beneath the first phase to stop. */
    static final int PHASE = DEFAULT_PHASE - 512;

    private final Elections elections;
    private final NamedElections named;
    private final Sink[] sinks;
    private final TermEvents events;
    private final Map<String, Standing> standing = new LinkedHashMap<>();
    private boolean isRunning;

    private record Standing(Candidacy candidacy, TermWork work) {}

    Candidacies(Elections elections, NamedElections named, GuardedSinks sinks, TermEvents events) {
        this.elections = elections;
        this.named = named;
        this.sinks = sinks.all().toArray(Sink[]::new);
        this.events = events;
    }

    /**
     * The candidacy in that election, which begins now if the application has not named it before. It ends when the application stops: do not close it.
     *
     * @throws IllegalStateException before the application has started, and once it stops
     */
    public Candidacy of(String election) {
        return stand(election).candidacy;
    }

    /** The only candidacy of an application that stands in one election; else the exception names them all. */
    Candidacy sole() {
        Map<String, Standing> all = all();
        if (all.size() != 1) {
            throw new IllegalStateException("this application stands in " + all.keySet()
                    + ", and not in exactly one election: ask Candidacies.of(name) for its candidacy");
        }
        return all.values().iterator().next().candidacy;
    }

    /** Begins a method on this thread in the present term of that election; empty if this process does not lead it. */
    Optional<TermWork.Run> begin(String election) {
        Standing one = all().get(election);
        return one == null ? Optional.empty() : one.candidacy.leadership().flatMap(one.work::begin);
    }

    /** How each stands, in the order in which they began. */
    Map<String, Candidacy> candidacies() {
        Map<String, Candidacy> found = new LinkedHashMap<>();
        all().forEach((name, one) -> found.put(name, one.candidacy));
        return found;
    }

    private synchronized Map<String, Standing> all() {
        return new LinkedHashMap<>(standing);
    }

    /** A bean that is made while the application stops brings no candidacy. */
    private synchronized void standUnlessStopped(String name) {
        if (isRunning) {
            stand(name);
        }
    }

    private synchronized Standing stand(String name) {
        if (!isRunning) {
            throw new IllegalStateException("the application is not running, and so stands in no election: " + name);
        }
        return standing.computeIfAbsent(name, this::campaign);
    }

    private Standing campaign(String name) {
        TermWork work = new TermWork();
        Election election = elections.election(name);
        return new Standing(election.guarding(sinks).campaign(work, events.after(work)), work);
    }

    @Override
    public void start() {
        synchronized (this) {
            isRunning = true;
        }
        named.tell(this::standUnlessStopped);
    }

    /** Ends every candidacy: methods in their terms are told to stop, and leaderships are handed over. */
    @Override
    public void stop(Runnable whenDone) {
        named.tellNobody();
        var unused = CompletableFuture.allOf(taken().stream()
                        .map(one -> one.candidacy.closeAsync().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> whenDone.run());
    }

    private synchronized List<Standing> taken() {
        List<Standing> taken = List.copyOf(standing.values());
        isRunning = false;
        standing.clear();
        return taken;
    }

    /** The same, and waits for it. */
    @Override
    public void stop() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        stop(() -> done.complete(null));
        done.join();
    }

    @Override
    public synchronized boolean isRunning() {
        return isRunning;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
