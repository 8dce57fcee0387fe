package dev.incumbent.examples;

import dev.incumbent.Candidacy;
import dev.incumbent.Health;
import dev.incumbent.model.Role;

/** What a load balancer's probe is told, where clients should reach the leader alone. */
public final class Readiness {
    private final Candidacy candidacy;

    public Readiness(Candidacy candidacy) {
        this.candidacy = candidacy;
    }

    /** 200 where this process leads, 503 where it does not; the body is for people. */
    public String answer() {
        Health health = candidacy.health();
        String trouble = health.trouble().map(what -> ", " + what).orElse("");
        return health.role() == Role.LEADER && !health.stalled()
                ? "200 leads term " + health.term()
                : "503 " + health.role() + trouble;
    }
}
