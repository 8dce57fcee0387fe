package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import java.io.EOFException;
import java.net.UnknownHostException;
import java.util.Set;
import javax.net.ssl.SSLException;

/** One sentence for each way in which a server does not serve. */
final class Failures {
    /** Errors that a server gives before it has done anything. */
    private static final Set<String> BEFORE_ANYTHING = Set.of(
            "READONLY",
            "NOAUTH",
            "NOPERM",
            "OOM",
            "LOADING",
            "MISCONF",
            "NOREPLICAS",
            "MASTERDOWN",
            "CLUSTERDOWN",
            "MOVED",
            "ASK",
            "BUSY",
            "WRONGPASS");

    private Failures() {}

    /** No connection: nothing was sent. */
    static CoordinatorException connecting(ServerAddress at, Throwable failure) {
        Throwable cause = root(failure);
        if (cause instanceof UnknownHostException) {
            return new CoordinatorException(at + " cannot be reached: there is no host " + at.host(), false, failure);
        }
        if (isOfTls(failure)) {
            return new CoordinatorException(
                    at + " cannot be reached over TLS: " + cause.getMessage()
                            + " (a private authority is named by ?ca=FILE)",
                    false,
                    failure);
        }
        String hint = at.login().tls() ? "" : " (one that speaks TLS is rediss://)";
        return isEnd(cause)
                ? new CoordinatorException(at + " closed the connection before it answered" + hint, false, failure)
                : new CoordinatorException(at + " cannot be reached: " + cause.getMessage(), false, failure);
    }

    /** The connection ended under way. */
    static CoordinatorException broken(ServerAddress at, Throwable failure, boolean mayHaveApplied) {
        return new CoordinatorException(
                at + " ended the connection: " + root(failure).getMessage(), mayHaveApplied, failure);
    }

    /** What a server's error says. */
    static CoordinatorException refused(ServerAddress at, String error, boolean writes) {
        String code = error.split(" ", 2)[0];
        String user = at.login().user().map(name -> "the user " + name).orElse("the default user");
        return switch (code) {
            case "WRONGPASS" ->
                new CoordinatorUnusableException(at + " refused " + user + ": wrong password, or no such user");
            case "NOAUTH" ->
                new CoordinatorUnusableException(
                        at + " asks for a password: redis://USER:PASSWORD@HOST, or the variable REDISCLI_AUTH");
            case "NOPERM" ->
                new CoordinatorUnusableException(at + " denies " + user + " what a coordinator needs: "
                        + error.substring("NOPERM".length()).strip());
            case "READONLY" -> new CoordinatorException(at + " has become a replica: only a master answers", false);
            case "OOM", "MISCONF" -> new CoordinatorException(at + " takes no writes, it is full: " + error, false);
            default ->
                isDenied(error)
                        ? new CoordinatorUnusableException(
                                at + " denies " + user + " what a coordinator needs: " + error)
                        : new CoordinatorException(
                                at + " answered " + error, writes && !BEFORE_ANYTHING.contains(code));
        };
    }

    /** A sentinel has a password of its own. */
    static CoordinatorUnusableException lockedSentinel(ServerAddress at) {
        return new CoordinatorUnusableException(at
                + " asks for the sentinels' own password: ?sentinel-password=, or the variable "
                + RedisUri.SENTINEL_PASSWORD_VARIABLE);
    }

    /** Also as a script meets it. */
    private static boolean isDenied(String error) {
        return error.contains("AUTH <password> called without any password configured")
                || error.contains("The user executing the script can't");
    }

    private static boolean isEnd(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return cause instanceof EOFException
                || message.contains("Unexpected end of stream")
                || message.contains("Connection reset");
    }

    private static boolean isOfTls(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < 16 && cause.getCause() != null && !(cause instanceof SSLException); i++) {
            cause = cause.getCause();
        }
        return cause instanceof SSLException;
    }

    static Throwable root(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < 16 && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        return cause;
    }
}
