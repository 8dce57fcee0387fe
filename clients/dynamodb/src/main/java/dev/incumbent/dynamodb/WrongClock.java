package dev.incumbent.dynamodb;

import java.util.Set;

/** Whether AWS refused a request for its time. It tells that by the code of a wrong signature, too; only its words tell the two apart. */
public final class WrongClock {
    /** What to do about it, for people. */
    public static final String REMEDY = "so this machine's clock is to be set";

    private static final Set<String> CODES = Set.of("RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture");

    private WrongClock() {}

    /** By the code of an error and what it says. */
    public static boolean isTold(String code, String said) {
        return CODES.contains(code)
                || said.startsWith("Signature expired")
                || said.startsWith("Signature not yet current");
    }
}
