package dev.incumbent.fuzz;

/** Bodies that the server does not understand, in requests that are right. */
final class Bodies {
    private static final int LONG = 1_100_000;

    private Bodies() {}

    static String number(Dice dice) {
        return dice.pick(
                "-1",
                "0",
                "-9223372036854775808",
                "-1200000000000000000",
                "9223372036854775807",
                "9223372036854775808",
                "1e9",
                "NaN",
                "0x7f",
                "1.5",
                "+1",
                "\u00d9\u00a3",
                "",
                " 7",
                "9".repeat(dice.between(20, 3_000)));
    }

    static String nonsense(Dice dice, Example example) {
        return example.withBody(dice.pick(
                        "\n",
                        "\t",
                        "NONSENSE\n",
                        "null",
                        "{}",
                        "[]",
                        "<a/>",
                        "\\",
                        "\\\\\\",
                        "EXPIRE\tL0\t0\n",
                        "EPOCH\tof-a-stranger\n",
                        "LEVEL\t99\n",
                        "@1\tLEVEL\t99\n",
                        "@99\tKEEP\tL0\n",
                        "TOGETHER\tLEVEL\\t99\tEPOCH\\tx\n",
                        "AT\n",
                        "SINCE\n",
                        "ALL\n",
                        dice.printable(dice.between(1, 300))))
                .text();
    }

    static String ofBytes(Dice dice, Example example) {
        return example.withBody(dice.bytes(dice.between(1, 2_000))).text();
    }

    static String changed(Dice dice, Example example) {
        return example.withBody(Changes.changed(dice, example.body() + "\n")).text();
    }

    static String longField(Dice dice, Example example) {
        int length = dice.once(8) ? LONG : dice.between(1_000, 70_000);
        String filling =
                dice.pick("x", "\\", "\\t", "\u00c3\u00a4", "/").repeat(length).substring(0, length);
        return example.withBody(filled(dice, example.body(), filling)).text();
    }

    /** One field is another. */
    private static String filled(Dice dice, String body, String filling) {
        String[] fields = body.split("\t", -1);
        fields[dice.below(fields.length)] = filling;
        return String.join("\t", fields);
    }

    static String wrongNumberOfFields(Dice dice, Example example) {
        String[] fields = example.body().split("\t", -1);
        int kept = dice.below(fields.length);
        String fewer = String.join("\t", java.util.Arrays.copyOf(fields, kept)) + "\n";
        return example.withBody(
                        dice.once(2) ? fewer : example.body().strip() + "\tx".repeat(dice.between(1, 5_000)) + "\n")
                .text();
    }

    static String deep(Dice dice, Example example) {
        int depth = dice.between(100, 60_000);
        String deep =
                dice.pick("[", "{\"a\":", "<a>", "(", "\\\\", "TOGETHER\t").repeat(depth);
        return example.withBody(dice.once(2) ? deep : filled(dice, example.body(), deep))
                .text();
    }

    static String badUtf8(Dice dice, Example example) {
        String bad = dice.pick(
                "\u00c0\u0080",
                "\u00ed\u00a0\u0080",
                "\u00ff",
                "\u00e2\u0082",
                "\u00f8\u0088\u0080\u0080\u0080",
                "\u0080",
                "\u00ef\u00bb\u00bf");
        return example.withBody(filled(dice, example.body(), bad.repeat(dice.between(1, 50))))
                .text();
    }

    static String hugeNumber(Dice dice, Example example) {
        String body = example.body().replaceAll("\\d+", number(dice).replace("\\", ""));
        return example.withBody(dice.once(2) ? body : filled(dice, example.body(), number(dice)))
                .text();
    }

    static String manyLines(Dice dice, Example example) {
        String line = dice.once(2) ? example.body() : dice.pick("\n", "KEEP\tL0\n", "READ\n", "x\n", "\r", "ALL\n");
        return example.withBody(line.repeat(dice.between(2, 2_000))).text();
    }
}
