package dev.incumbent.cli.demo;

/**
 * What the ledger says of itself when all is over.
 *
 * @param accepted the lines it holds
 * @param refused late writes that were really attempted, after a line of a later term, and refused
 * @param outOfOrder lines that follow one of a later term
 * @param terms the terms that wrote
 */
record Verdict(long accepted, long refused, long outOfOrder, long terms) {
    /** Late writes came and none was accepted. */
    boolean held() {
        return accepted > 0 && refused > 0 && outOfOrder == 0;
    }

    /** In one word: {@code held}, {@code corrupted}, or {@code unproven} where no write came late. */
    String word() {
        if (outOfOrder > 0) {
            return "corrupted";
        }
        return held() ? "held" : "unproven";
    }

    @Override
    public String toString() {
        return "%s accepted in %s, %s refused, %d accepted out of order"
                .formatted(
                        counted(accepted, "write"), counted(terms, "term"), counted(refused, "late write"), outOfOrder);
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
