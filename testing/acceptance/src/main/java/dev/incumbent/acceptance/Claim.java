package dev.incumbent.acceptance;

import java.io.PrintStream;
import java.util.List;

/**
 * What a trial found.
 *
 * @param against what speaks against the sentence; nothing where it holds
 * @param isOfTime whether the sentence asks for no more than that something comes soon enough, which a busy machine may break
 */
record Claim(String sentence, List<String> against, boolean isOfTime) {
    static Claim of(String sentence, List<String> against) {
        return new Claim(sentence, List.copyOf(against), false);
    }

    static Claim inTime(String sentence, List<String> against) {
        return new Claim(sentence, List.copyOf(against), true);
    }

    static Claim of(String sentence, boolean holds, String against) {
        return of(sentence, holds ? List.of() : List.of(against));
    }

    boolean holds() {
        return against.isEmpty();
    }

    /** Prints it, as all trials do. */
    void print(String trial, PrintStream out) {
        out.println((holds() ? "ok      " : "NOT SO  ") + trial + ": " + sentence);
        against.forEach(why -> out.println("        | " + why));
    }
}
