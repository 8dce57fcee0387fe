package dev.incumbent.fence.http;

import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;

/** A mark as it is sent: {@code 7 candidate:ledger-1@host-4711-9f3c}. */
final class MarkText {
    private MarkText() {}

    static String of(Mark mark) {
        return mark.token() + " " + mark.owner();
    }

    /** Throws {@link IllegalArgumentException} where it is none. */
    static Mark read(String text) {
        String[] words = text.strip().split(" ", 2);
        if (words.length != 2) {
            throw new IllegalArgumentException("'" + text + "' is no mark: TOKEN OWNER");
        }
        return new Mark(new FencingToken(Long.parseLong(words[0])), MarkOwner.parse(words[1]));
    }
}
