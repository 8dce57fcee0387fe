package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How a run ended.
 *
 * @param code the exit code
 * @param reason one word, which no code alone tells
 * @param token of the term that ended with it; empty where nothing was led
 * @param childCode the command's own code, where it came to an end
 * @param interrupted Ctrl-C has ended the command, and this process shall end by the same signal
 */
record Ending(int code, String reason, OptionalLong token, OptionalInt childCode, boolean interrupted) {
    private static final int NOT_FOUND = 127;
    private static final int SIGNALLED = 128;

    Ending(int code, String reason, OptionalLong token, OptionalInt childCode) {
        this(code, reason, token, childCode, false);
    }

    static Ending of(int code, String reason) {
        return new Ending(code, reason, OptionalLong.empty(), OptionalInt.empty());
    }

    /** Leadership was not acquired, or not for long enough to begin. */
    static Ending notAcquired(int code) {
        return of(code, "not-acquired");
    }

    /** A signal came before the command was started. */
    static Ending signalled(int signal) {
        return of(SIGNALLED + signal, "signal");
    }

    /** A verb that was refused, by its exit code. */
    static Ending refused(int code) {
        return of(
                code,
                switch (code) {
                    case ExitCodes.USAGE -> "usage";
                    case ExitCodes.UNREACHABLE -> "unreachable";
                    case ExitCodes.CONFIGURATION -> "configuration";
                    case ExitCodes.SINK -> "sink-unraised";
                    default -> "internal";
                });
    }

    /** What people must be told, since no command of theirs has: empty where the command came to its own end, or it was told before. */
    Optional<String> sentence(String command) {
        return Optional.ofNullable(
                switch (reason) {
                    case "not-executed" ->
                        code == NOT_FOUND ? "'" + command + "' was not found" : "'" + command + "' cannot be executed";
                    case "supervisor-died" -> "the supervisor was killed, and the command with it";
                    case "no-resources" ->
                        "the command could not be started for lack of processes, memory or open files";
                    case "on-acquire-failed" ->
                        "the command of --on-acquire failed, or lasted a lease; the leadership is given up";
                    default ->
                        code == ExitCodes.LOST && !reason.equals("ended")
                                ? "the leadership ended before the command did: " + reason
                                : null;
                });
    }

    String json(ElectionName election) {
        JsonObject json = new JsonObject().put("election", election.value());
        if (token.isPresent()) {
            json.put("token", token.getAsLong());
        } else {
            json.putNull("token");
        }
        json.put("code", code).put("reason", reason);
        if (childCode.isPresent()) {
            json.put("childCode", childCode.getAsInt());
        } else {
            json.putNull("childCode");
        }
        return json.toString();
    }
}
