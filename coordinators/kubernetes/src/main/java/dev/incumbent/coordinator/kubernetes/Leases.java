package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The requests about the Lease objects of one namespace. */
final class Leases {
    static final String GROUP = "coordination.k8s.io/v1";

    /** Records and sessions, and foreign objects too: one of those may bear an election's name. */
    static final String ALL_BUT_CANDIDATES = Stored.KIND + " notin (candidate)";

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final String path;

    Leases(String namespace) {
        this.path = "/apis/" + GROUP + "/namespaces/" + namespace + "/leases";
    }

    static String ofKind(Kind kind) {
        return Stored.KIND + "=" + kind.label();
    }

    Ask get(String name) {
        return Ask.get(path + "/" + name);
    }

    /** Without a resourceVersion, so that it is read from the store and not from a server's memory of it. */
    Ask list(String selector) {
        return Ask.get(path + "?labelSelector=" + encoded(selector));
    }

    /** One object at most, and the store's position. */
    Ask first(String selector) {
        return Ask.get(path + "?limit=1&labelSelector=" + encoded(selector));
    }

    /** A line for each change since that position. */
    Ask watch(String selector, long position, Duration atMost) {
        return Ask.get(path + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + position + "&timeoutSeconds="
                + atMost.toSeconds() + "&labelSelector=" + encoded(selector));
    }

    Ask create(
            Kind kind,
            String name,
            Map<String, Object> labels,
            Map<String, Object> annotations,
            Map<String, Object> spec) {
        Map<String, Object> allLabels = new LinkedHashMap<>(labels);
        allLabels.put(Stored.KIND, kind.label());
        Map<String, Object> object = Map.of(
                "apiVersion",
                GROUP,
                "kind",
                "Lease",
                "metadata",
                Map.of("name", name, "labels", allLabels, "annotations", annotations),
                "spec",
                spec);
        return Ask.post(path, Document.write(object));
    }

    Ask patch(String name, List<Map<String, Object>> operations) {
        return Ask.patch(path + "/" + name, Document.write(operations));
    }

    Ask delete(String name) {
        return Ask.delete(path + "/" + name, "");
    }

    /** Deletes this very state of an object, and no later one. */
    Ask delete(Stored seen) {
        Map<String, Object> preconditions =
                Map.of("uid", seen.uid(), "resourceVersion", Long.toString(seen.position()));
        return Ask.delete(
                path + "/" + seen.name(),
                Document.write(Map.of("kind", "DeleteOptions", "apiVersion", "v1", "preconditions", preconditions)));
    }

    /** An operation of a patch: goes on only if that annotation is so. */
    static Map<String, Object> testAnnotation(String annotation, String value) {
        return operation("test", annotationPath(annotation), value);
    }

    /** An operation of a patch: goes on only on this very state. */
    static Map<String, Object> testPosition(Stored seen) {
        return operation("test", "/metadata/resourceVersion", Long.toString(seen.position()));
    }

    static Map<String, Object> testKind(Kind kind) {
        return operation("test", "/metadata/labels/" + Stored.KIND.replace("/", "~1"), kind.label());
    }

    static Map<String, Object> setAnnotation(String annotation, String value) {
        return operation("add", annotationPath(annotation), value);
    }

    static Map<String, Object> set(String pointer, Object value) {
        return operation("add", pointer, value);
    }

    /** A time as Kubernetes writes it, for people. */
    static String time(Instant at) {
        return MICRO_TIME.format(at);
    }

    /** A length as Kubernetes has it: whole seconds, at least one. */
    static long seconds(Duration length) {
        return Math.max(1, length.plusNanos(999_999_999).toSeconds());
    }

    private static String annotationPath(String annotation) {
        return "/metadata/annotations/" + annotation.replace("/", "~1");
    }

    private static Map<String, Object> operation(String what, String path, Object value) {
        return Map.of("op", what, "path", path, "value", value);
    }

    private static String encoded(String selector) {
        return URLEncoder.encode(selector, StandardCharsets.UTF_8);
    }
}
