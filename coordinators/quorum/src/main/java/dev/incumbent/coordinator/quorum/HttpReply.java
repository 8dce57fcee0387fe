package dev.incumbent.coordinator.quorum;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a node answered; names of headers are in small letters. */
record HttpReply(int status, Map<String, String> headers, String text) {
    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }
}
