package dev.incumbent.agent.http;

import dev.incumbent.telling.JsonObject;
import java.util.Optional;

/** A refusal of a request: a status and one sentence, answered as {@code application/problem+json} (RFC 9457). */
final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** What a request bears is repeated in sentences, and may be long and of any characters. */
    private static final int LONGEST = 500;

    private final int status;

    Problem(int status, String sentence) {
        super(oneLine(sentence), null, false, false);
        this.status = status;
    }

    /** What was asked cannot be meant. */
    static Problem unclear(String sentence) {
        return new Problem(400, sentence);
    }

    private static String oneLine(String sentence) {
        String cut = sentence.length() > LONGEST ? sentence.substring(0, LONGEST) + "..." : sentence;
        return cut.replaceAll("\\p{Cc}", "?");
    }

    int status() {
        return status;
    }

    String json() {
        return json(status, String.valueOf(getMessage()));
    }

    static String json(int status, String sentence) {
        return json(status, sentence, Optional.empty());
    }

    /** One that holds the result of what was tried. */
    static String json(int status, String sentence, Optional<JsonObject> result) {
        JsonObject json = new JsonObject().put("status", status).put("detail", sentence);
        return result.map(what -> json.put("result", what)).orElse(json).toString();
    }
}
