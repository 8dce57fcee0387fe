package dev.incumbent.fence.etcd;

import dev.incumbent.etcd.KeyValue;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a sink's keys are called and what they hold: the token as 19 digits, so that it is one text only, and beside it whose mark it is. */
record MarkKeys(String prefix) {
    String id() {
        return prefix + "sink";
    }

    String tokens() {
        return prefix + "f/";
    }

    String token(ElectionName election) {
        return tokens() + election;
    }

    String owners() {
        return prefix + "o/";
    }

    String owner(ElectionName election) {
        return owners() + election;
    }

    static String digits(FencingToken token) {
        return String.format(Locale.ROOT, "%019d", token.value());
    }

    /** The mark that two keys hold; none where both are missing. */
    static Optional<Mark> mark(List<KeyValue> token, List<KeyValue> owner) {
        if (token.isEmpty() && owner.isEmpty()) {
            return Optional.empty();
        }
        String digits = token.isEmpty() ? "" : token.get(0).value();
        String text = owner.isEmpty() ? "" : owner.get(0).value();
        try {
            return Optional.of(new Mark(new FencingToken(Long.parseLong(digits)), MarkOwner.parse(text)));
        } catch (IllegalArgumentException unreadable) {
            throw new SinkException("the keys of the mark hold none: '" + digits + "' of '" + text + "'", unreadable);
        }
    }
}
