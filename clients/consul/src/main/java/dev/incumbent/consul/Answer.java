package dev.incumbent.consul;

import dev.incumbent.wire.Json;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * What Consul answered to a question, of whatever status.
 *
 * @param from who it was, for people
 * @param index the {@code X-Consul-Index}; none where it is not Consul that answers
 */
public record Answer(String from, Question question, int status, OptionalLong index, String body) {
    private static final int LONGEST_QUOTE = 300;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;

    public boolean isOk() {
        return status == OK;
    }

    /** There is no such key; told by Consul itself, and not by whoever else listens there. */
    public boolean isNoKey() {
        return status == NOT_FOUND && index.isPresent();
    }

    public boolean is(int wanted) {
        return status == wanted;
    }

    /** The document of an answer that is OK, else what the answer means. */
    public Json json() {
        if (!isOk()) {
            throw failure();
        }
        return document();
    }

    Json document() {
        try {
            return Json.read(body);
        } catch (IOException e) {
            throw new ConsulException(
                            ConsulException.Kind.ANSWERED,
                            from + " answered to " + question.doing() + " what is no JSON, is that Consul: " + quote(),
                            quote(),
                            question.writes())
                    .because(e);
        }
    }

    /** What it means that the answer is not the one expected. A denial is none of the refusals that a caller knows. */
    public ConsulException failure() {
        if (status == FORBIDDEN || isDenial(body)) {
            return denial(quote());
        }
        boolean surelyNot = status == TOO_LARGE || body.contains("No cluster leader");
        return new ConsulException(
                ConsulException.Kind.ANSWERED,
                from + " answered " + status + " to " + question.doing() + ": " + quote(),
                quote(),
                question.writes() && !surelyNot);
    }

    ConsulException denial(String why) {
        return new ConsulException(
                ConsulException.Kind.DENIED,
                from + " denies " + question.doing() + ": " + why
                        + " (the token is taken from CONSUL_HTTP_TOKEN or ?token-file=PATH)",
                why,
                false);
    }

    static boolean isDenial(String text) {
        return text.contains("Permission denied") || text.contains("ACL not found");
    }

    private String quote() {
        String line = body.strip().replaceAll("\\s+", " ");
        return line.length() > LONGEST_QUOTE ? line.substring(0, LONGEST_QUOTE) + "…" : line;
    }
}
