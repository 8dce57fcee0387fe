package dev.incumbent.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.incumbent.agent.PlainHttp.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** The agent's description in OpenAPI, which every answer of a test is held to. */
public final class Description {
    private static final String NAME = "https://incumbent.dev/openapi.json";
    private static final String EVENTS =
            "/paths/~1v1~1elections~1{election}/get/responses/200/content/text~1event-stream/x-events";
    private static final String TEXT = text();
    private static final JsonNode ROOT = read();
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(NAME, TEXT)));

    private Description() {}

    private static String text() {
        try (InputStream file = Objects.requireNonNull(HostAgent.class.getResourceAsStream("openapi.json"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode read() {
        try {
            return new ObjectMapper().readTree(TEXT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The methods of each path. */
    public static JsonNode paths() {
        return ROOT.at("/paths");
    }

    /** Fails where an answer is not described. A HEAD is answered as a GET is, without the body. */
    static void hold(String method, String path, Answer answer) {
        String type = answer.header("Content-Type").replaceAll(";.*", "");
        Optional<String> operation = operation(method.equals("HEAD") ? "GET" : method, path);
        String at = operation.map(one -> one + "/responses/" + answer.status()).orElse("/components/responses/Problem");
        String schema = resolved(at) + "/content/" + escaped(type) + "/schema";
        if (ROOT.at(schema).isMissingNode()) {
            throw new AssertionError(at + " is described nowhere for " + answer);
        }
        if (type.endsWith("json") && !method.equals("HEAD")) {
            hold(schema, answer.body(), method + " " + path);
        }
    }

    /** Fails where an event of a stream is not described. */
    static void holdEvent(String name, String data) {
        String schema = EVENTS + "/" + name;
        if (ROOT.at(schema).isMissingNode()) {
            throw new AssertionError("the event " + name + " is described nowhere; its data is " + data);
        }
        hold(schema, data, "the event " + name);
    }

    private static void hold(String schema, String json, String what) {
        List<Error> errors = SCHEMAS.getSchema(SchemaLocation.of(NAME + "#" + encoded(schema)))
                .validate(json, InputFormat.JSON);
        if (!errors.isEmpty()) {
            throw new AssertionError(what + " " + json + ": " + errors);
        }
    }

    private static String resolved(String pointer) {
        String ref = ROOT.at(pointer).path("$ref").asText();
        return ref.isEmpty() ? pointer : ref.substring(1);
    }

    private static Optional<String> operation(String method, String path) {
        List<String> asked = segments(path.replaceAll("\\?.*", ""));
        return StreamSupport.stream(((Iterable<String>) () -> paths().fieldNames()).spliterator(), false)
                .filter(described -> isOf(segments(described), asked))
                .map(described -> "/paths/" + escaped(described) + "/" + method.toLowerCase(java.util.Locale.ROOT))
                .filter(pointer -> !ROOT.at(pointer).isMissingNode())
                .findFirst();
    }

    private static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    private static boolean isOf(List<String> described, List<String> asked) {
        if (described.size() != asked.size()) {
            return false;
        }
        for (int i = 0; i < asked.size(); i++) {
            if (!described.get(i).startsWith("{") && !described.get(i).equals(asked.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String segment) {
        return segment.replace("~", "~0").replace("/", "~1");
    }

    private static String encoded(String pointer) {
        return pointer.replace("{", "%7B").replace("}", "%7D").replace("+", "%2B");
    }
}
