package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a later version, or a hand, would have written into a record. */
final class Later {
    private Later() {}

    static Set<Feature> features(String names) {
        Set<Feature> features = new TreeSet<>();
        for (String name : names.split(",", -1)) {
            features.add(new Feature(name));
        }
        return features;
    }

    /** The request with one attribute, {@code key=value}. */
    static Request told(Request request, String attribute) {
        String[] parts = attribute.split("=", -1);
        return with(
                request, new Extras(Map.of(parts[0], parts[1]), request.extras().unknown()));
    }

    /** The record, and each of its parts, with a field of that name. */
    static LeaderRecord added(LeaderRecord r, String field) {
        Map<String, String> more = Map.of(field, "1");
        Optional<Freeze> freeze = r.freeze().map(f -> new Freeze(f.by(), f.why(), f.at(), f.number(), more));
        return new LeaderRecord(
                r.term(),
                r.leader().map(leader -> with(leader, more)),
                r.lease(),
                r.leaseLength(),
                r.since(),
                r.request()
                        .map(request ->
                                with(request, new Extras(request.extras().attributes(), more))),
                r.planned().map(one -> new PlannedTransfer(one.by(), one.to(), one.notBefore(), one.at(), more)),
                r.moved().map(one -> new RankMove(one.inputs(), one.to(), one.lasted(), more)),
                freeze,
                Cordons.of(r.cordons().all().stream()
                        .map(one -> new Cordon(one.whom(), one.by(), one.why(), one.at(), more))
                        .toList()),
                r.sinks(),
                r.retiredSinks(),
                r.requires(),
                Holders.of(r.holders().all().stream()
                        .map(one -> new Holder(one.term(), one.candidate(), one.on(), more))
                        .toList()),
                r.nonce(),
                r.history().stream().map(past -> with(past, more)).toList(),
                more);
    }

    /** The record of the same leader and term under another lease. */
    static LeaderRecord under(LeaderRecord r, LeaseId lease) {
        return r.claimedBy(r.term(), r.leader().orElseThrow(), lease, r.leaseLength(), r.since());
    }

    static Map<SinkId, String> with(Map<SinkId, String> sinks, SinkId sink, String label) {
        Map<SinkId, String> next = new TreeMap<>(sinks);
        next.put(sink, label);
        return next;
    }

    static Map<SinkId, String> without(Map<SinkId, String> sinks, SinkId sink) {
        Map<SinkId, String> next = new TreeMap<>(sinks);
        next.remove(sink);
        return next;
    }

    private static Candidate with(Candidate c, Map<String, String> more) {
        return new Candidate(
                c.id(), c.name(), c.address(), new Extras(c.extras().attributes(), more));
    }

    private static Request with(Request request, Extras extras) {
        return request instanceof Request.TransferTo to
                ? new Request.TransferTo(to.id(), to.term(), to.successor(), extras)
                : new Request.Resign(request.id(), request.term(), extras);
    }

    private static PastTerm with(PastTerm p, Map<String, String> more) {
        Optional<HolderProof> stonith =
                p.stonith().map(one -> new HolderProof(one.kind(), one.by(), one.why(), one.at(), more));
        return new PastTerm(
                p.number(), with(p.leader(), more), p.from(), p.to(), p.reason(), p.leaseLength(), stonith, more);
    }
}
