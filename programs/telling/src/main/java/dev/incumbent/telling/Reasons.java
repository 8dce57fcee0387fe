package dev.incumbent.telling;

import dev.incumbent.model.EndReason;
import java.util.Locale;

/** Why a term ended, in the one word that text, JSON, events and the environment of a child use. */
public final class Reasons {
    private Reasons() {}

    /** Such as {@code resigned}, {@code lost} or {@code task-failed}. */
    public static String word(EndReason reason) {
        return reason == EndReason.LEASE_LOST
                ? "lost"
                : reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
