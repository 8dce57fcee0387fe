package dev.incumbent.fence.redis;

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
        return new RedisFailure("", url + " cannot be reached: " + why(failure), failure);
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

    private static String why(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < 16 && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
