package dev.incumbent.acceptance;

import java.util.List;

/**
 * What a trial found.
 *
 * @param against what speaks against the sentence; nothing where it holds
 */
record Claim(String sentence, List<String> against) {
    static Claim of(String sentence, List<String> against) {
        return new Claim(sentence, List.copyOf(against));
    }

    static Claim of(String sentence, boolean holds, String against) {
        return new Claim(sentence, holds ? List.of() : List.of(against));
    }

    boolean holds() {
        return against.isEmpty();
    }

    /** Prints it, as all trials do. */
    void print(String trial) {
        System.out.println((holds() ? "ok      " : "NOT SO  ") + trial + ": " + sentence);
        against.forEach(why -> System.out.println("        | " + why));
    }
}
