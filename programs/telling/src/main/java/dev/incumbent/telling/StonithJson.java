package dev.incumbent.telling;

import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who may still act, and what proved that others do not, as {@code status}, {@code history}, {@code stonith list} and the agent tell it. */
public final class StonithJson {
    private StonithJson() {}

    /** Of an election that asks for it; empty of all others. */
    public static Optional<JsonObject> of(ObservedRecord observed) {
        return observed.record().requires().contains(Feature.STONITH)
                ? Optional.of(putIn(new JsonObject(), observed))
                : Optional.empty();
    }

    /** Adds the holders, and the terms whose leader was proved to act no more. */
    public static JsonObject putIn(JsonObject json, ObservedRecord observed) {
        return json.put(
                        "holders",
                        HolderView.all(observed).stream().map(StonithJson::of).toList())
                .put("proved", proved(observed.record()));
    }

    private static List<JsonObject> proved(LeaderRecord record) {
        return record.history().stream()
                .flatMap(past -> past.stonith().stream().map(proof -> with(termOf(past), proof)))
                .toList();
    }

    /** Of a past term: its leader is owed a proof, or has one; empty where it left in order, or nobody asks. */
    static Optional<JsonObject> of(PastTerm past, LeaderRecord record) {
        return past.stonith()
                .map(proof -> with(new JsonObject().put("verified", true), proof))
                .or(() -> record.holders()
                        .of(past.number())
                        .map(holder -> where(new JsonObject().put("verified", false), holder)));
    }

    private static JsonObject of(HolderView view) {
        Holder holder = view.holder();
        JsonObject json = new JsonObject()
                .put("term", holder.term())
                .put("node", holder.on().node())
                .put("candidate", holder.candidate().value())
                .put("bootId", holder.on().bootId())
                .put("process", holder.on().process())
                .put("leads", view.leads());
        put(json, "from", view.from());
        put(json, "to", view.to());
        return json;
    }

    private static void put(JsonObject json, String name, Optional<Instant> when) {
        when.ifPresentOrElse(known -> json.put(name, known), () -> json.putNull(name));
    }

    private static JsonObject where(JsonObject json, Holder holder) {
        return json.put("node", holder.on().node())
                .put("bootId", holder.on().bootId())
                .put("process", holder.on().process());
    }

    private static JsonObject termOf(PastTerm past) {
        return new JsonObject()
                .put("term", past.number())
                .put("candidate", past.leader().id().value());
    }

    private static JsonObject with(JsonObject json, HolderProof proof) {
        return json.put("proof", word(proof))
                .put("by", proof.by())
                .put("why", proof.why())
                .put("at", proof.at());
    }

    /** What showed it, in one word, such as {@code off} or {@code confirmed}. */
    public static String word(HolderProof proof) {
        return proof.kind().name().toLowerCase(Locale.ROOT);
    }
}
