package dev.incumbent.coordinator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The one text form of a record, and of a candidate, in all stores: one line of JSON that a person can read.
 *
 * <p>It bears its format's number: {@code "v":1}, or {@code "v":2} where it requires features, so that a version which knows of no features leaves such
 * a record alone. A later version that only adds fields, to the document or to a part of it, keeps that number; this one carries such fields through, within
 * the bounds of the model and no deeper than {@link JsonFields#DEEPEST_ADDITION} in a part. Whatever else is not understood makes the document unreadable:
 * another number, a field that is missing or of another kind, a word that is none of ours, a list out of order, a value that the model refuses.
 */
public final class RecordJson {
    /** The format of a record that requires nothing, and of a candidate. */
    public static final int FORMAT = 1;

    /** The format of a record that requires features; the greatest that is read. */
    public static final int FORMAT_WITH_FEATURES = 2;

    private RecordJson() {}

    /** A record's text; it must bear a nonce, for only what a swap wrote is stored. */
    public static String write(LeaderRecord record) {
        return write(record, false);
    }

    /** The same text with the nonce at its beginning, for a store that compares beginnings. */
    public static String writeNonceFirst(LeaderRecord record) {
        return write(record, true);
    }

    private static String write(LeaderRecord record, boolean nonceFirst) {
        if (record.nonce().isEmpty()) {
            throw new IllegalArgumentException(
                    "a stored record bears a nonce, that of term " + record.term() + " none");
        }
        JsonWriter json = new JsonWriter().openObject();
        if (nonceFirst) {
            json.field("nonce", record.nonce());
        }
        json.field("v", record.requires().isEmpty() ? FORMAT : FORMAT_WITH_FEATURES)
                .field("term", record.term());
        record.leader().ifPresent(leader -> write(json.name("leader"), leader));
        record.lease().ifPresent(lease -> json.field("lease", lease.value()));
        json.field("leaseLength", record.leaseLength().toString())
                .field("since", record.since().toString());
        record.request().ifPresent(request -> write(json.name("request"), request));
        record.planned().ifPresent(planned -> write(json.name("planned"), planned));
        record.moved().ifPresent(moved -> write(json.name("moved"), moved));
        record.freeze().ifPresent(freeze -> write(json.name("freeze"), freeze));
        if (!record.cordons().isEmpty()) {
            json.name("cordons").openList();
            record.cordons().all().forEach(cordon -> write(json, cordon));
            json.closeList();
        }
        if (!record.sinks().isEmpty()) {
            json.name("sinks").openObject();
            record.sinks().forEach((id, label) -> json.field(id.value(), label));
            json.closeObject();
        }
        writeWords(json, "retiredSinks", record.retiredSinks());
        writeWords(json, "requires", record.requires());
        if (!record.holders().isEmpty()) {
            json.name("holders").openList();
            record.holders().all().forEach(holder -> write(json, holder));
            json.closeList();
        }
        if (!nonceFirst) {
            json.field("nonce", record.nonce());
        }
        if (!record.history().isEmpty()) {
            json.name("history").openList();
            record.history().forEach(past -> write(json, past));
            json.closeList();
        }
        record.unknown().forEach(json::rawField);
        return json.closeObject().done();
    }

    /** The record of a text. */
    public static LeaderRecord read(String text) throws UnreadableRecordException {
        return read("record", text, FORMAT_WITH_FEATURES, RecordJson::record);
    }

    /** A candidate's text. */
    public static String write(Enlisted enlisted) {
        JsonWriter json = new JsonWriter().openObject().field("v", FORMAT);
        write(json.name("candidate"), enlisted.candidate());
        json.field("lease", enlisted.lease().value())
                .field("since", enlisted.since().toString());
        writeWords(json, "sinks", enlisted.sinks());
        writeWords(json, "supports", enlisted.supports());
        return json.closeObject().done();
    }

    /** The candidate of a text. What a later version added to the document is dropped: only its writer writes it again. */
    public static Enlisted readEnlisted(String text) throws UnreadableRecordException {
        return read("candidate", text, FORMAT, RecordJson::enlisted);
    }

    private static void write(JsonWriter json, Candidate candidate) {
        json.openObject().field("id", candidate.id().value()).field("name", candidate.name());
        if (!candidate.address().isEmpty()) {
            json.field("address", candidate.address());
        }
        write(json, candidate.extras());
        json.closeObject();
    }

    private static void write(JsonWriter json, Request request) {
        json.openObject().field("id", request.id()).field("term", request.term());
        if (request instanceof Request.TransferTo transfer) {
            json.field("transferTo", transfer.successor().value());
        }
        write(json, request.extras());
        json.closeObject();
    }

    private static void write(JsonWriter json, Extras extras) {
        if (!extras.attributes().isEmpty()) {
            json.name("attributes").openObject();
            extras.attributes().forEach(json::field);
            json.closeObject();
        }
        extras.unknown().forEach(json::rawField);
    }

    private static void write(JsonWriter json, PlannedTransfer planned) {
        json.openObject()
                .field("by", planned.by())
                .field("to", planned.to())
                .field("notBefore", planned.notBefore().toString())
                .field("at", planned.at().toString());
        planned.unknown().forEach(json::rawField);
        json.closeObject();
    }

    private static void write(JsonWriter json, RankMove moved) {
        json.openObject().field("inputs", moved.inputs()).field("to", moved.to());
        json.name("lasted").value(moved.lasted());
        moved.unknown().forEach(json::rawField);
        json.closeObject();
    }

    private static void write(JsonWriter json, Freeze freeze) {
        json.openObject()
                .field("by", freeze.by())
                .field("why", freeze.why())
                .field("at", freeze.at().toString())
                .field("number", freeze.number());
        freeze.unknown().forEach(json::rawField);
        json.closeObject();
    }

    private static void write(JsonWriter json, Cordon cordon) {
        json.openObject()
                .field("whom", cordon.whom())
                .field("by", cordon.by())
                .field("why", cordon.why())
                .field("at", cordon.at().toString());
        cordon.unknown().forEach(json::rawField);
        json.closeObject();
    }

    private static void write(JsonWriter json, Holder holder) {
        json.openObject()
                .field("term", holder.term())
                .field("candidate", holder.candidate().value())
                .field("node", holder.on().node())
                .field("boot", holder.on().bootId())
                .field("process", holder.on().process());
        holder.unknown().forEach(json::rawField);
        json.closeObject();
    }

    private static void write(JsonWriter json, HolderProof proof) {
        json.openObject()
                .field("proof", proof.kind().name())
                .field("by", proof.by())
                .field("why", proof.why())
                .field("at", proof.at().toString());
        proof.unknown().forEach(json::rawField);
        json.closeObject();
    }

    private static void write(JsonWriter json, PastTerm past) {
        json.openObject().field("term", past.number());
        write(json.name("leader"), past.leader());
        json.field("from", past.from().toString())
                .field("to", past.to().toString())
                .field("reason", past.reason().name())
                .field("leaseLength", past.leaseLength().toString());
        past.stonith().ifPresent(proof -> write(json.name("stonith"), proof));
        past.unknown().forEach(json::rawField);
        json.closeObject();
    }

    /** Those that print as the one word that they are. */
    private static void writeWords(JsonWriter json, String name, Set<?> words) {
        if (!words.isEmpty()) {
            json.name(name).openList();
            words.forEach(word -> json.value(word.toString()));
            json.closeList();
        }
    }

    private static <T> T read(String what, String text, int latest, Part<T> part) throws UnreadableRecordException {
        try {
            JsonFields fields = JsonFields.read(text);
            long format = fields.whole("v");
            if (format < FORMAT || format > latest) {
                throw new UnreadableRecordException("it is of format " + format + ", this version reads format "
                        + FORMAT + (latest == FORMAT ? "" : " to " + latest));
            }
            return part.of(fields);
        } catch (UnreadableRecordException | IllegalArgumentException | DateTimeException e) {
            throw new UnreadableRecordException("unreadable " + what + ": " + e.getMessage(), e);
        }
    }

    private static LeaderRecord record(JsonFields json) throws UnreadableRecordException {
        long term = json.whole("term");
        Optional<Candidate> leader = optional(json.fieldsIfAny("leader"), RecordJson::candidate);
        Optional<LeaseId> lease = json.textIfAny("lease").map(LeaseId::new);
        Duration leaseLength = Duration.parse(json.text("leaseLength"));
        Instant since = Instant.parse(json.text("since"));
        Optional<Request> request = optional(json.fieldsIfAny("request"), RecordJson::request);
        Optional<PlannedTransfer> planned = optional(json.fieldsIfAny("planned"), RecordJson::planned);
        Optional<RankMove> moved = optional(json.fieldsIfAny("moved"), RecordJson::moved);
        Optional<Freeze> freeze = optional(json.fieldsIfAny("freeze"), RecordJson::freeze);
        List<Cordon> cordons = new ArrayList<>();
        for (Json cordon : json.itemsIfAny("cordons")) {
            cordons.add(cordon(JsonFields.fieldsOf("cordons", cordon)));
        }
        Map<SinkId, String> sinks = labels(json.fieldsIfAny("sinks").orElseGet(JsonFields::none));
        Set<SinkId> retired = sinkIds(json, "retiredSinks");
        Set<Feature> requires = features(json, "requires");
        if (requires.isEmpty() != (json.whole("v") == FORMAT)) {
            throw new UnreadableRecordException("it is of format " + json.whole("v") + " and requires " + requires
                    + "; format " + FORMAT + " requires nothing, format " + FORMAT_WITH_FEATURES + " something");
        }
        List<Holder> holders = new ArrayList<>();
        for (Json holder : json.itemsIfAny("holders")) {
            holders.add(holder(JsonFields.fieldsOf("holders", holder)));
        }
        String nonce = json.text("nonce");
        if (nonce.isEmpty()) {
            throw new UnreadableRecordException("the field 'nonce' is empty");
        }
        List<PastTerm> history = new ArrayList<>();
        for (Json past : json.itemsIfAny("history")) {
            history.add(pastTerm(JsonFields.fieldsOf("history", past)));
        }
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                planned,
                moved,
                freeze,
                Cordons.of(cordons),
                sinks,
                retired,
                requires,
                Holders.of(holders),
                nonce,
                history,
                json.untaken());
    }

    private static Enlisted enlisted(JsonFields json) throws UnreadableRecordException {
        return new Enlisted(
                candidate(json.fields("candidate")),
                new LeaseId(json.text("lease")),
                Instant.parse(json.text("since")),
                sinkIds(json, "sinks"),
                features(json, "supports"));
    }

    private static Candidate candidate(JsonFields json) throws UnreadableRecordException {
        return new Candidate(
                new CandidateId(json.text("id")),
                json.text("name"),
                json.textIfAny("address").orElse(""),
                extras(json, "a candidate"));
    }

    private static Request request(JsonFields json) throws UnreadableRecordException {
        String id = json.text("id");
        long term = json.whole("term");
        Optional<CandidateId> successor = json.textIfAny("transferTo").map(CandidateId::new);
        Extras extras = extras(json, "the request");
        return successor.isPresent()
                ? new Request.TransferTo(id, term, successor.get(), extras)
                : new Request.Resign(id, term, extras);
    }

    /** What is told beside what every version understands; the last that is taken of a part. */
    private static Extras extras(JsonFields json, String where) throws UnreadableRecordException {
        JsonFields told = json.fieldsIfAny("attributes").orElseGet(JsonFields::none);
        Map<String, String> attributes = new TreeMap<>();
        for (String key : told.names()) {
            attributes.put(key, told.text(key));
        }
        return new Extras(attributes, json.additions(where));
    }

    private static PlannedTransfer planned(JsonFields json) throws UnreadableRecordException {
        return new PlannedTransfer(
                json.text("by"),
                json.text("to"),
                Instant.parse(json.text("notBefore")),
                Instant.parse(json.text("at")),
                json.additions("the planned transfer"));
    }

    private static RankMove moved(JsonFields json) throws UnreadableRecordException {
        return new RankMove(json.text("inputs"), json.text("to"), json.flag("lasted"), json.additions("the move"));
    }

    private static Freeze freeze(JsonFields json) throws UnreadableRecordException {
        return new Freeze(
                json.text("by"),
                json.text("why"),
                Instant.parse(json.text("at")),
                json.whole("number"),
                json.additions("the freeze"));
    }

    private static Cordon cordon(JsonFields json) throws UnreadableRecordException {
        return new Cordon(
                json.text("whom"),
                json.text("by"),
                json.text("why"),
                Instant.parse(json.text("at")),
                json.additions("a cordon"));
    }

    private static PastTerm pastTerm(JsonFields json) throws UnreadableRecordException {
        return new PastTerm(
                json.whole("term"),
                candidate(json.fields("leader")),
                Instant.parse(json.text("from")),
                Instant.parse(json.text("to")),
                EndReason.valueOf(json.text("reason")),
                Duration.parse(json.text("leaseLength")),
                optional(json.fieldsIfAny("stonith"), RecordJson::proof),
                json.additions("a past term"));
    }

    private static Holder holder(JsonFields json) throws UnreadableRecordException {
        return new Holder(
                json.whole("term"),
                new CandidateId(json.text("candidate")),
                new NodeBoot(json.text("node"), json.text("boot"), json.text("process")),
                json.additions("a holder"));
    }

    private static HolderProof proof(JsonFields json) throws UnreadableRecordException {
        return new HolderProof(
                HolderProof.Kind.valueOf(json.text("proof")),
                json.text("by"),
                json.text("why"),
                Instant.parse(json.text("at")),
                json.additions("a proof"));
    }

    private static Map<SinkId, String> labels(JsonFields json) throws UnreadableRecordException {
        Map<SinkId, String> sinks = new TreeMap<>();
        for (String id : json.names()) {
            sinks.put(new SinkId(id), json.text(id));
        }
        return sinks;
    }

    private static Set<SinkId> sinkIds(JsonFields json, String name) throws UnreadableRecordException {
        Set<SinkId> ids = new TreeSet<>();
        for (Json id : json.itemsIfAny(name)) {
            ids.add(new SinkId(JsonFields.textOf(name, id)));
        }
        return ids;
    }

    /** A list in order, so that there is one text of one set. */
    private static Set<Feature> features(JsonFields json, String name) throws UnreadableRecordException {
        TreeSet<Feature> features = new TreeSet<>();
        for (Json item : json.itemsIfAny(name)) {
            Feature feature = new Feature(JsonFields.textOf(name, item));
            if (!features.isEmpty() && feature.compareTo(features.last()) <= 0) {
                throw new UnreadableRecordException(
                        "the field '" + name + "' is not in order: " + feature + " stands after " + features.last());
            }
            features.add(feature);
        }
        return features;
    }

    private static <T> Optional<T> optional(Optional<JsonFields> fields, Part<T> part)
            throws UnreadableRecordException {
        return fields.isPresent() ? Optional.of(part.of(fields.get())) : Optional.empty();
    }

    /** Reads one part of a document. */
    @FunctionalInterface
    private interface Part<T> {
        T of(JsonFields fields) throws UnreadableRecordException;
    }
}
