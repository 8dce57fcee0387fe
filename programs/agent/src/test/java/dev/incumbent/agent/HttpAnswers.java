package dev.incumbent.agent;

import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers that came on one connection, one after the other. A character is a byte. */
final class HttpAnswers {
    private static final Pattern HEAD =
            Pattern.compile("HTTP/1\\.1 (\\d{3})[^\r\n]*\r\n(.*?\r\n)?\r\n", Pattern.DOTALL);
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)\r\n");
    private static final Pattern JSON = Pattern.compile("(?i)content-type: application/(problem\\+)?json");
    private static final int LONGEST_SENTENCE = 600;
    private static final int CONTINUE = 100;

    private HttpAnswers() {}

    /** One answer; its body is empty where it was not sent, as to HEAD, or did not come. */
    record One(int status, boolean isJson, String body) {
        /** Is it JSON, if it says so, and one sentence, if it is a problem? */
        boolean isWellFormed() {
            if (!isJson || body.isEmpty()) {
                return true;
            }
            return read().filter(json -> status < 400 || isProblem(json)).isPresent();
        }

        private Optional<Json> read() {
            try {
                byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
                return Optional.of(Json.read(new String(bytes, StandardCharsets.UTF_8).strip()));
            } catch (JsonException none) {
                return Optional.empty();
            }
        }

        private boolean isProblem(Json json) {
            String sentence = json.at("detail").text();
            return json.at("status").number() == status
                    && !sentence.isBlank()
                    && sentence.length() <= LONGEST_SENTENCE
                    && sentence.chars().noneMatch(Character::isISOControl);
        }
    }

    /** All of them. */
    static List<One> of(String answer) {
        List<One> all = new ArrayList<>();
        Matcher head = HEAD.matcher(answer);
        int from = 0;
        while (head.find(from)) {
            int status = Integer.parseInt(head.group(1));
            String headers = String.valueOf(head.group(2));
            String body = body(answer.substring(head.end()), headers);
            from = head.end() + body.length();
            if (status != CONTINUE) {
                all.add(new One(status, JSON.matcher(headers).find(), body));
            }
        }
        return all;
    }

    /** A stream of events is the last answer, and all that comes is its body. */
    private static String body(String rest, String headers) {
        if (headers.contains("Content-Type: text/event-stream")) {
            return rest;
        }
        Matcher length = LENGTH.matcher(headers);
        int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return rest.length() < bytes || rest.startsWith("HTTP/1.1 ") ? "" : rest.substring(0, bytes);
    }
}
