package dev.incumbent.fence.http;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.List;
import java.util.Optional;

/** What a request bears in its header: {@code Fencing-Token: billing/closer=7}. */
record Bearing(ElectionName election, FencingToken token) {
    static final String HEADER = "Fencing-Token";

    /** Empty unless there is exactly one header, and it can be read. */
    static Optional<Bearing> of(List<String> headers) {
        if (headers.size() != 1) {
            return Optional.empty();
        }
        String text = headers.get(0);
        int equals = text.indexOf('=');
        if (equals < 1 || !text.substring(equals + 1).matches("[1-9][0-9]{0,18}")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Bearing(
                    new ElectionName(text.substring(0, equals)),
                    new FencingToken(Long.parseLong(text.substring(equals + 1)))));
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return election + "=" + token;
    }
}
