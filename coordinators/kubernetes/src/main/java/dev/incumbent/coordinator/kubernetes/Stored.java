package dev.incumbent.coordinator.kubernetes;

import java.util.Map;
import java.util.Optional;

/**
 * A Lease object as the API server has it, ours or anybody's.
 *
 * @param position the resourceVersion as a number: etcd's revision, which only a restored store repeats
 */
record Stored(
        String name,
        String uid,
        long position,
        Map<String, Object> labels,
        Map<String, Object> annotations,
        Map<String, Object> spec) {
    static final String KIND = "incumbent.dev/kind";
    static final String ELECTION = "incumbent.dev/election";
    static final String NONCE = "incumbent.dev/nonce";
    static final String RECORD = "incumbent.dev/record";
    static final String RENEWAL = "incumbent.dev/renewal";
    /** The seconds for which a session was granted; its spec says them, too, and may be edited by hand. */
    static final String LENGTH = "incumbent.dev/length";

    static final String CANDIDATE = "incumbent.dev/candidate";
    static final String PLACE = "incumbent.dev/place";

    static Stored of(Map<String, Object> object) {
        Map<String, Object> metadata = Document.map(object, "metadata");
        return new Stored(
                Document.text(metadata, "name").orElse(""),
                Document.text(metadata, "uid").orElse(""),
                position(Document.text(metadata, "resourceVersion").orElse("")),
                Document.map(metadata, "labels"),
                Document.map(metadata, "annotations"),
                Document.map(object, "spec"));
    }

    static long position(String resourceVersion) {
        try {
            return resourceVersion.isEmpty() ? 0 : Long.parseLong(resourceVersion);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the resourceVersion '" + resourceVersion + "' is no number", e);
        }
    }

    boolean isOf(Kind kind) {
        return Document.text(labels, KIND).filter(kind.label()::equals).isPresent();
    }

    Optional<String> annotation(String name) {
        return Document.text(annotations, name);
    }

    /** The field that {@code kubectl get leases} shows; empty where there is none. */
    String holder() {
        return Document.text(spec, "holderIdentity").orElse("");
    }

    /** What an object of ours is. */
    enum Kind {
        ELECTION,
        SESSION,
        CANDIDATE;

        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
