package dev.incumbent.cli.doctor;

import dev.incumbent.cli.reading.Requirements;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import dev.incumbent.telling.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Is an election's record readable, is it fenced at all, and is each of its candidates who it says it is? */
final class ElectionCheck {
    private final Standing standing;

    ElectionCheck(Standing standing) {
        this.standing = standing;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        String election = standing.election().value();
        standing.obstacle().ifPresent(why -> findings.add(Finding.wrong("record", election + " is " + why)));
        if (standing.obstacle().isEmpty() && standing.record().sinks().isEmpty()) {
            findings.add(
                    Finding.wrong(
                            "fence",
                            election + " has no sink on record: a late leader is held back by its own clock alone;"
                                    + " fence what it writes to: incumbent fence install --sink URL, then run it with --sink URL"));
        }
        Requirements.unknown(standing.election(), standing.record())
                .ifPresent(why -> findings.add(Finding.wrong("features", why)));
        identities(findings);
        if (findings.isEmpty()) {
            findings.add(Finding.well(
                    "election",
                    election + " stands at term " + standing.record().term() + " with "
                            + standing.candidates().size() + " candidates"));
        }
        return findings;
    }

    private void identities(List<Finding> findings) {
        Map<String, Candidate> byName = new HashMap<>();
        Map<Candidate, LeaseId> byCandidate = new HashMap<>();
        for (Enlisted enlisted : standing.candidates()) {
            Candidate candidate = enlisted.candidate();
            Candidate namesake = byName.putIfAbsent(candidate.name(), candidate);
            if (namesake != null && !namesake.id().equals(candidate.id())) {
                findings.add(Finding.wrong(
                        "identity",
                        standing.election() + " has two candidates named " + candidate.name() + ": " + namesake
                                + " and " + candidate + "; a transfer to that name is refused"));
            }
            LeaseId other = byCandidate.putIfAbsent(candidate, enlisted.lease());
            if (other != null && !other.equals(enlisted.lease())) {
                findings.add(Finding.wrong(
                        "identity",
                        standing.election() + " has candidate " + candidate + " on two leases, " + other + " and "
                                + enlisted.lease()));
            }
        }
    }
}
