package dev.incumbent.cli.doctor;

import dev.incumbent.cli.frame.Paint;
import dev.incumbent.telling.JsonObject;

/** What one check saw: that all is well, something worth knowing, or something wrong. */
record Finding(Kind kind, String check, String sentence) {
    /** How bad it is; only {@link #WRONG} counts as a finding. */
    enum Kind {
        WELL("ok", Paint.GOOD),
        NOTE("note", Paint.DOUBTFUL),
        WRONG("finding", Paint.BAD);

        final String word;
        final Paint paint;

        Kind(String word, Paint paint) {
            this.word = word;
            this.paint = paint;
        }
    }

    static Finding well(String check, String sentence) {
        return new Finding(Kind.WELL, check, sentence);
    }

    static Finding note(String check, String sentence) {
        return new Finding(Kind.NOTE, check, sentence);
    }

    static Finding wrong(String check, String sentence) {
        return new Finding(Kind.WRONG, check, sentence);
    }

    boolean isWrong() {
        return kind == Kind.WRONG;
    }

    JsonObject json() {
        return new JsonObject().put("kind", kind.word).put("check", check).put("sentence", sentence);
    }
}
