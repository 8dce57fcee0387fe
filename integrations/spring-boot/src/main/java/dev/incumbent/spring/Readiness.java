package dev.incumbent.spring;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.Health;
import dev.incumbent.model.Candidate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** How this process stands, as health checks ask: ready while the coordinator answers and the process has its lease, whether it leads or not. Thread-safe. */
final class Readiness implements ElectionListener {
    private final Supplier<Candidacies> candidacies;
    private volatile Optional<String> unreachable = Optional.empty();

    Readiness(Supplier<Candidacies> candidacies) {
        this.candidacies = candidacies;
    }

    @Override
    public void onUnreachable(String why) {
        unreachable = Optional.of(why);
    }

    @Override
    public void onReachable(Duration after) {
        unreachable = Optional.empty();
    }

    boolean isReady() {
        return unreachable.isEmpty()
                && all().values().stream().allMatch(one -> one.health().leaseHeld());
    }

    /** For people: each election with what this process is there and who leads, as last told. */
    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        unreachable.ifPresent(why -> details.put("coordinator", why));
        all().forEach((election, candidacy) -> details.put(election, told(candidacy)));
        return details;
    }

    static Map<String, Object> told(Candidacy candidacy) {
        Health health = candidacy.health();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("role", health.role().name());
        told.put("term", health.term());
        health.leader().map(Candidate::name).ifPresent(leader -> told.put("leader", leader));
        health.trouble().ifPresent(trouble -> told.put("trouble", trouble));
        if (health.stalled()) {
            told.put("stalled", true);
        }
        return told;
    }

    private Map<String, Candidacy> all() {
        return candidacies.get().candidacies();
    }
}
