package dev.incumbent.agent.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a request needs. Who has one of these has also those before it. */
enum Right {
    READ,
    /** To stand. */
    CAMPAIGN,
    /** To stand under the watchdog, which may restart the host. */
    WATCHDOG,
    /** To transfer, resign, freeze, thaw, cordon and uncordon. */
    OPERATE;

    /** The right of that word, as the tokens' file writes it. */
    static Optional<Right> of(String word) {
        return Arrays.stream(values())
                .filter(right -> right.word().equals(word))
                .findFirst();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
