package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostElections;
import dev.incumbent.model.ElectionName;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who sends a request.
 *
 * @param user as the kernel names it; empty over a port
 * @param grants what that one may do
 */
record Asker(Optional<String> user, List<Grant> grants) {
    private static final Map<Right, String> MISSING = Map.of(
            Right.CAMPAIGN,
            "and may not stand in it",
            Right.WATCHDOG,
            "and may not have the watchdog of the host guard its work",
            Right.OPERATE,
            "and may not transfer, resign, freeze, thaw or cordon it");

    Asker {
        grants = List.copyOf(grants);
    }

    boolean may(Right needed, ElectionName election) {
        return grants.stream().anyMatch(grant -> grant.allows(election, needed));
    }

    /** Those that may have elections which that one may read. */
    Set<HostElections> readsOf(ElectionRouter elections) {
        return grants.stream()
                .flatMap(grant -> grant.prefix().map(elections::beneath).orElse(elections.all()).stream())
                .collect(Collectors.toSet());
    }

    boolean readsAll() {
        return grants.stream().anyMatch(Grant::coversAll);
    }

    /** Refuses who may not. */
    void require(Right needed, ElectionName election) {
        if (!may(Right.READ, election)) {
            throw new Problem(403, who() + " has no right to the election " + election);
        }
        if (!may(needed, election)) {
            String most = may(Right.CAMPAIGN, election) ? "stand in" : "read";
            throw new Problem(
                    403,
                    String.format(
                            Locale.ROOT, "%s may %s the election %s, %s", who(), most, election, MISSING.get(needed)));
        }
    }

    private String who() {
        return user.map(name -> "the user " + name).orElse("this token");
    }
}
