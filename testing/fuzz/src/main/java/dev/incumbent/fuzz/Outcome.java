package dev.incumbent.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What came of one malformed request.
 *
 * @param answer the first bytes that came, a character each
 */
public record Outcome(MalformedRequest request, String answer, How how) {
    private static final int CONTINUE = 100;
    private static final Set<Integer> REFUSALS =
            Set.of(400, 401, 403, 404, 405, 408, 411, 413, 414, 417, 421, 426, 431, 501, 505);
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})[ \\r]");

    /** How its connection ended. */
    public enum How {
        /** The server took it, and whoever sent it has closed it, or the server has. */
        CLOSED,
        /** The server reset it. */
        RESET,
        /** The server took no connection. */
        NOT_TAKEN,
        /** The server neither answered nor closed, though nothing more could come. */
        HANGS,
        /** Still open, as it is meant. */
        LEFT_OPEN
    }

    /** The statuses of all answers that came, save 100, which is none. */
    public List<Integer> statuses() {
        List<Integer> all = new ArrayList<>();
        Matcher status = STATUS.matcher(answer);
        while (status.find()) {
            int one = Integer.parseInt(status.group(1));
            if (one != CONTINUE) {
                all.add(one);
            }
        }
        return all;
    }

    /** Was it refused as what it is, or not answered at all? */
    public boolean isRefused() {
        return REFUSALS.containsAll(statuses());
    }

    /** With the bytes of both sides, as a person can read them. */
    @Override
    public String toString() {
        return request + "\n    " + how + ", answer: "
                + MalformedRequest.readable(answer.substring(0, Math.min(1_500, answer.length())));
    }
}
