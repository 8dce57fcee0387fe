package dev.incumbent.protocol.operator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.SinkId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whom an id or a name means among those enlisted, and whether that one can lead. */
sealed interface Successor {
    /** This one: enlisted under a live lease, and bringing every sink. */
    record Eligible(Candidate candidate) implements Successor {}

    /** The leader itself. */
    record Leads(Candidate leader) implements Successor {}

    /** More than one bears that name. */
    record Many(String name, List<CandidateId> ids) implements Successor {}

    /** Nobody, or one who cannot lead. */
    record Ineligible(String why) implements Successor {}

    /** An id means itself; a name means who alone bears it. */
    static Successor of(String idOrName, List<Enlisted> candidates, LeaderRecord record) {
        List<Enlisted> meant = candidates.stream()
                .filter(one -> one.candidate().id().value().equals(idOrName))
                .toList();
        if (meant.isEmpty()) {
            meant = candidates.stream()
                    .filter(one -> one.candidate().name().equals(idOrName))
                    .toList();
        }
        if (meant.size() > 1) {
            return new Many(
                    idOrName, meant.stream().map(one -> one.candidate().id()).toList());
        }
        return meant.isEmpty() ? ofNobody(idOrName, candidates, record) : ofOne(meant.get(0), record);
    }

    private static Successor ofNobody(String idOrName, List<Enlisted> candidates, LeaderRecord record) {
        Candidate leader = record.leader().orElseThrow();
        if (leader.id().value().equals(idOrName) || leader.name().equals(idOrName)) {
            return new Leads(leader);
        }
        return new Ineligible("no live candidate is called " + idOrName + "; enlisted are "
                + candidates.stream().map(one -> one.candidate().id()).toList());
    }

    private static Successor ofOne(Enlisted one, LeaderRecord record) {
        if (record.leader().orElseThrow().id().equals(one.candidate().id())) {
            return new Leads(one.candidate());
        }
        Set<SinkId> lacking = new TreeSet<>(record.sinks().keySet());
        lacking.removeAll(one.sinks());
        if (!lacking.isEmpty()) {
            return new Ineligible(one.candidate() + " does not bring the sinks " + lacking);
        }
        Set<Feature> unknown = record.requiresBeyond(one.supports());
        if (!unknown.isEmpty()) {
            return new Ineligible(one.candidate() + " does not know the features that the record requires, " + unknown);
        }
        Set<SinkId> retired = new TreeSet<>(record.retiredSinks());
        retired.retainAll(one.sinks());
        return retired.isEmpty()
                ? new Eligible(one.candidate())
                : new Ineligible(one.candidate() + " still brings the retired sinks " + retired);
    }
}
