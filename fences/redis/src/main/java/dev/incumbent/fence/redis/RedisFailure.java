package dev.incumbent.fence.redis;

import javax.net.ssl.SSLException;

/** A server's error, or no answer of it: one sentence, and the server's code where it gave one. */
final class RedisFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private final String code;

    private RedisFailure(String code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    private RedisFailure(String code, String message) {
        super(message);
        this.code = code;
    }

    static RedisFailure unreachable(RedisUrl url, Throwable failure) {
        if (isEnd(failure)) {
            return unanswered(url, failure);
        }
        return isOfTls(failure)
                ? new RedisFailure(
                        "",
                        url + " cannot be reached over TLS: " + why(failure)
                                + " (a private authority is named by ?ca=FILE)",
                        failure)
                : new RedisFailure("", url + " cannot be reached: " + why(failure), failure);
    }

    /** What TLS needs is not there, and nothing was connected to. */
    static RedisFailure withoutTls(RedisUrl url, String why, Throwable failure) {
        return new RedisFailure("", url + " cannot be reached: " + why, failure);
    }

    /** It has answered nothing yet: a server that speaks TLS ends a plain connection so. */
    static RedisFailure unanswered(RedisUrl url, Throwable failure) {
        String hint = url.server().login().tls() ? "" : " (one that speaks TLS is rediss://)";
        return isEnd(failure)
                ? new RedisFailure("", url + " closed the connection before it answered" + hint, failure)
                : broken(url, failure);
    }

    static RedisFailure broken(RedisUrl url, Throwable failure) {
        return new RedisFailure("", url + " did not answer: " + why(failure), failure);
    }

    /** An error that the server answered. */
    static RedisFailure refused(RedisUrl url, String error) {
        String code = error.split(" ", 2)[0];
        String user =
                url.server().login().user().map(name -> "the user " + name).orElse("the default user");
        String sentence = switch (code) {
            case "WRONGPASS" -> "refused " + user + ": wrong password, or no such user";
            case "NOAUTH" -> "asks for a password: redis://USER:PASSWORD@HOST, or the variable REDISCLI_AUTH";
            case "NOPERM" ->
                "denies " + user + " what a fence needs: "
                        + error.substring("NOPERM".length()).strip();
            case "READONLY" -> "is a replica: a sink is a master";
            case "OOM", "MISCONF" -> "takes no writes, it is full: " + error;
            case "IFNOTINSTALLED" -> "is not installed as a sink: incumbent fence install --sink " + url;
            default -> "answered " + error;
        };
        return new RedisFailure(code, url + " " + sentence);
    }

    /** The first word of the server's error, or nothing. */
    String code() {
        return code;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    private static boolean isOfTls(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < 16 && cause.getCause() != null && !(cause instanceof SSLException); i++) {
            cause = cause.getCause();
        }
        return cause instanceof SSLException;
    }

    private static boolean isEnd(Throwable failure) {
        String why = why(failure);
        return !isOfTls(failure) && (why.contains("Unexpected end of stream") || why.contains("Connection reset"));
    }

    private static String why(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < 16 && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
