package dev.incumbent.consul;

import java.util.Optional;

/**
 * One HTTP request, and by when it is answered.
 *
 * @param path with its query
 * @param doing what it does, for people: "reading incumbent/e/a:record"
 * @param writes may it have applied where its answer is lost
 * @param urgent goes past those that wait for a connection
 * @param deadlineNanos by the clock of the client's {@link dev.incumbent.calls.Deadlines}
 */
public record Question(
        String method,
        String path,
        Optional<String> body,
        String doing,
        boolean writes,
        boolean urgent,
        long deadlineNanos) {
    public static Question get(String path, String doing, long deadlineNanos) {
        return new Question("GET", path, Optional.empty(), doing, false, false, deadlineNanos);
    }

    public static Question put(String path, String body, String doing, long deadlineNanos) {
        return new Question("PUT", path, Optional.of(body), doing, true, false, deadlineNanos);
    }

    /** The same, for what is sent by PUT and only reads. */
    public Question reading() {
        return new Question(method, path, body, doing, false, urgent, deadlineNanos);
    }

    public Question urgently() {
        return new Question(method, path, body, doing, writes, true, deadlineNanos);
    }
}
