package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The API server of a {@link LeaseWatch} as a test plays it: it answers when it is told to, and speaks in the streams that were opened. */
final class ScriptedWatch implements LeaseWatch.Questions, AutoCloseable {
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(4);
    static final Duration LEASE = Duration.ofSeconds(6);
    private static final Candidate ADA = new Candidate(new CandidateId("ada"), "ada", "");

    /** To nowhere: its streams come about in the test alone. */
    private final Transport nowhere = Transport.open(
            new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:1")
                    .build(),
            () -> 0);

    final Deque<Asked> asked = new ArrayDeque<>();
    final List<Opened> opened = new ArrayList<>();
    final Deque<Burial> burials = new ArrayDeque<>();

    record Asked(Ask ask, Consumer<Optional<Answer>> then) {
        boolean isList() {
            return !ask.path().contains("limit=1");
        }
    }

    record Opened(Ask ask, ChangeStream stream, ChangeStream.Listener listener) {
        void tell(String type, Map<String, Object> object) {
            listener.changed(stream, type, Stored.of(object));
        }

        void end(Ending ending) {
            listener.ended(stream, ending);
        }
    }

    record Burial(Stored session, Consumer<Boolean> then) {}

    @Override
    public Duration requestTimeout() {
        return REQUEST_TIMEOUT;
    }

    @Override
    public void ask(Ask ask, Consumer<Optional<Answer>> then) {
        asked.add(new Asked(ask, then));
    }

    @Override
    public void bury(Stored overdue, Consumer<Boolean> then) {
        burials.add(new Burial(overdue, then));
    }

    @Override
    public ChangeStream open(Ask watch, ChangeStream.Listener listener) {
        ChangeStream stream = ChangeStream.open(nowhere, watch, REQUEST_TIMEOUT.toNanos(), new Deaf());
        Opened one = new Opened(watch, stream, listener);
        opened.add(one);
        listener.began(stream);
        return stream;
    }

    /** The stream that was opened last. */
    Opened stream() {
        return opened.get(opened.size() - 1);
    }

    /** Answers the question that waits longest. */
    void answer(long position, List<Map<String, Object>> objects) {
        Map<String, Object> list =
                Map.of("metadata", Map.of("resourceVersion", Long.toString(position)), "items", objects);
        asked.remove().then().accept(Optional.of(new Answer(200, Document.write(list))));
    }

    void answer(long position) {
        answer(position, List.of());
    }

    void fail() {
        asked.remove().then().accept(Optional.empty());
    }

    void refuse(Answer refusal) {
        asked.remove().then().accept(Optional.of(refusal));
    }

    static Map<String, Object> record(ElectionName election, long position, LeaseId lease) {
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(position, ADA, lease, LEASE, Instant.EPOCH)
                .written("n" + position);
        Map<String, Object> annotations = Map.of(
                Stored.ELECTION,
                election.value(),
                Stored.NONCE,
                record.nonce(),
                Stored.RECORD,
                RecordJson.write(record));
        return object(
                Names.of(election),
                position,
                Kind.ELECTION,
                annotations,
                Map.of("holderIdentity", ADA.id().value()));
    }

    static Map<String, Object> entry(ElectionName election, long position, Enlisted candidate) {
        Map<String, Object> annotations =
                Map.of(Stored.ELECTION, election.value(), Stored.CANDIDATE, RecordJson.write(candidate));
        String name = Names.of(election, candidate.candidate().id());
        return object(name, position, Kind.CANDIDATE, annotations, Map.of());
    }

    static Map<String, Object> session(LeaseId lease, long position) {
        return session(lease, position, LEASE);
    }

    static Map<String, Object> session(LeaseId lease, long position, Duration length) {
        return object(
                lease.value(),
                position,
                Kind.SESSION,
                Map.of(Stored.RENEWAL, "r" + position),
                Map.of("leaseDurationSeconds", length.toSeconds()));
    }

    static Map<String, Object> bookmark(long position) {
        return Map.of("metadata", Map.of("resourceVersion", Long.toString(position)));
    }

    static Map<String, Object> withUid(Map<String, Object> object, String uid) {
        Map<String, Object> metadata = new LinkedHashMap<>(Document.map(object, "metadata"));
        metadata.put("uid", uid);
        Map<String, Object> changed = new LinkedHashMap<>(object);
        changed.put("metadata", metadata);
        return changed;
    }

    private static Map<String, Object> object(
            String name, long position, Kind kind, Map<String, Object> annotations, Map<String, Object> spec) {
        return Map.of(
                "metadata",
                Map.of(
                        "name",
                        name,
                        "uid",
                        "uid-" + name,
                        "resourceVersion",
                        Long.toString(position),
                        "labels",
                        Map.of(Stored.KIND, kind.label()),
                        "annotations",
                        annotations),
                "spec",
                spec);
    }

    @Override
    public void close() {
        nowhere.close();
    }

    private static final class Deaf implements ChangeStream.Listener {
        @Override
        public void began(ChangeStream which) {}

        @Override
        public void changed(ChangeStream by, String type, Stored object) {}

        @Override
        public void ended(ChangeStream which, Ending ending) {}
    }
}
