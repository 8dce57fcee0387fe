package dev.incumbent.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Too little, too much, and lengths that are not so. */
final class Sizes {
    private static final int SMALL = 200;
    private static final int LARGE = 1_200_000;
    /** More than any body may have. */
    private static final int LARGEST = 9 << 20;

    private static final int MUCH = 3 << 19;

    private Sizes() {}

    static String nothing(Dice dice, Example example) {
        return "";
    }

    static String emptyLines(Dice dice, Example example) {
        return dice.pick("\r\n", "\n", "\r", " \r\n").repeat(dice.between(1, 200))
                + (dice.once(2) ? example.text() : "");
    }

    static String longFirstLine(Dice dice, Example example) {
        return example.at(example.path() + "?" + dice.pick("a", "%41", "&x=y").repeat(dice.between(1_000, 20_000)))
                .text();
    }

    static String longHeader(Dice dice, Example example) {
        return example.withHeader(
                        "X-Long: " + dice.pick("x", "\u00e4", ",", " ").repeat(dice.between(4_000, 80_000)))
                .text();
    }

    static String manyHeaders(Dice dice, Example example) {
        List<String> all = new ArrayList<>(example.headers());
        int count = dice.between(50, 3_000);
        for (int i = 0; i < count; i++) {
            all.add("X-" + (dice.once(3) ? "Same" : i) + ": " + i);
        }
        return example.withHeaders(all).text();
    }

    static String longBody(Dice dice, Example example) {
        int length = dice.once(6) ? LARGEST - dice.below(2) * MUCH : dice.between(SMALL, LARGE);
        String unit = dice.pick("x", "KEEP\tL0\n", "\t", "\n", "\u00ff");
        return example.withBody(unit.repeat(length / unit.length())).text();
    }

    static String lengthTooGreat(Dice dice, Example example) {
        int more = dice.pick(List.of(1, 2, 100, 1_000_000, Integer.MAX_VALUE - LARGE));
        return example.with(List.of(Example.length(example.body().length() + more)), example.body());
    }

    static String lengthTooSmall(Dice dice, Example example) {
        String body = example.body() + dice.printable(dice.between(1, SMALL));
        return example.with(List.of(Example.length(dice.below(body.length()))), body);
    }

    static String lengthOfNoSize(Dice dice, Example example) {
        String size = dice.pick(
                "-1",
                "-9223372036854775808",
                "+3",
                "0x10",
                "1e3",
                "3.0",
                "",
                " ",
                "three",
                "9223372036854775807",
                "9223372036854775808",
                "99999999999999999999999999",
                "1 2",
                "1,2",
                "\u00b3",
                "00000000000000000000000000000000000003");
        return example.with(List.of(Example.length(size)), example.body());
    }

    static String twoLengths(Dice dice, Example example) {
        int length = example.body().length();
        Object other = dice.pick(List.of(length, length + 1, 0, "-1", "x"));
        return example.with(List.of(Example.length(length), Example.length(other)), example.body());
    }

    static String lengthAndChunks(Dice dice, Example example) {
        List<String> both =
                new ArrayList<>(List.of(Example.length(example.body().length()), Chunks.ENCODING));
        if (dice.once(2)) {
            both = List.of(both.get(1), both.get(0));
        }
        return example.with(both, dice.once(2) ? example.body() : Chunks.whole(example.body()));
    }

    static String truncated(Dice dice, Example example) {
        String text = example.text();
        return text.substring(0, dice.below(text.length()));
    }
}
