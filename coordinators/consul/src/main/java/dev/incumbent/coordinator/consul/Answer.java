package dev.incumbent.coordinator.consul;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.util.OptionalLong;

/** What Consul answered to a question, of whatever status. */
record Answer(String from, Question question, int status, OptionalLong index, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_QUOTE = 300;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    boolean isOk() {
        return status == OK;
    }

    /** There is no such key; told by Consul itself, and not by whoever else listens there. */
    boolean isNoKey() {
        return status == NOT_FOUND && index.isPresent();
    }

    boolean is(int wanted) {
        return status == wanted;
    }

    /** The document of an answer that is OK, else what the answer means. */
    JsonNode json() {
        if (!isOk()) {
            throw failure();
        }
        return document();
    }

    JsonNode document() {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new CoordinatorException(
                    from + " answered to " + question.doing() + " what is no JSON, is that Consul: " + quote(),
                    question.writes(),
                    e);
        }
    }

    /** What it means that the answer is not the one expected. A denial is none of the refusals that a caller knows. */
    CoordinatorException failure() {
        if (status == FORBIDDEN || isDenial(body)) {
            return denial(quote());
        }
        boolean surelyNot = body.contains("No cluster leader");
        return new CoordinatorException(
                from + " answered " + status + " to " + question.doing() + ": " + quote(),
                question.writes() && !surelyNot);
    }

    CoordinatorUnusableException denial(String why) {
        return new CoordinatorUnusableException(from + " denies " + question.doing() + ": " + why
                + " (the token is taken from CONSUL_HTTP_TOKEN or ?token-file=PATH)");
    }

    static boolean isDenial(String text) {
        return text.contains("Permission denied") || text.contains("ACL not found");
    }

    private String quote() {
        String line = body.strip().replaceAll("\\s+", " ");
        return line.length() > LONGEST_QUOTE ? line.substring(0, LONGEST_QUOTE) + "…" : line;
    }
}
