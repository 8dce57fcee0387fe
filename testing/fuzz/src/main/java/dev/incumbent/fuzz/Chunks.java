package dev.incumbent.fuzz;

import java.util.List;

/** Bodies in chunks that are none. */
final class Chunks {
    static final String ENCODING = "Transfer-Encoding: chunked";
    private static final List<String> CHUNKED = List.of(ENCODING);
    private static final String LAST = "0\r\n\r\n";

    private Chunks() {}

    /** As it is right. */
    static String whole(String body) {
        return (body.isEmpty() ? "" : one(body)) + LAST;
    }

    private static String one(String data) {
        return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
    }

    static String ofNoSize(Dice dice, Example example) {
        String size = dice.pick(
                "-1",
                "-5",
                "g",
                "0x5",
                "",
                " 5",
                "5 ",
                "+5",
                "ffffffff",
                "80000000",
                "7fffffffffffffff",
                "ffffffffffffffffff",
                "\u0000",
                "5;",
                "\u00b2");
        return example.with(CHUNKED, size + "\r\n" + example.body() + "\r\n" + LAST);
    }

    static String tooLong(Dice dice, Example example) {
        String data = example.body() + dice.printable(dice.between(1, 30));
        String size = Integer.toHexString(dice.below(data.length()) + 1);
        return example.with(CHUNKED, size + dice.pick("\r\n", "\n", "\r") + data + "\r\n" + LAST);
    }

    static String cutOff(Dice dice, Example example) {
        String whole = whole(example.body());
        return example.with(CHUNKED, whole.substring(0, dice.below(whole.length())));
    }

    static String extension(Dice dice, Example example) {
        String extension = ";" + dice.pick("a", "a=\"", "\u0000", "=").repeat(dice.between(1, 9_000));
        String size = Integer.toHexString(example.body().length());
        return example.with(
                CHUNKED, (example.body().isEmpty() ? "" : size + extension + "\r\n" + example.body() + "\r\n") + LAST);
    }

    static String trailers(Dice dice, Example example) {
        String trailer = dice.pick(
                "Content-Length: 5\r\n",
                "Authorization: Bearer nobody\r\n",
                "no colon\r\n",
                "X: " + "x".repeat(20_000) + "\r\n",
                "X: y\r\n".repeat(2_000));
        String chunks = whole(example.body());
        return example.with(CHUNKED, chunks.substring(0, chunks.length() - 2) + trailer + "\r\n");
    }

    static String manySmall(Dice dice, Example example) {
        return example.with(CHUNKED, one(dice.pick("x", "\n", "\t")).repeat(dice.between(100, 20_000)) + LAST);
    }

    static String unknownEncoding(Dice dice, Example example) {
        String encoding = dice.pick(
                "gzip",
                "identity",
                "chunked, gzip",
                "gzip, chunked",
                "chunked, chunked",
                "xchunked",
                "chunked ;q=1",
                "\u000bchunked",
                "CHUNKED",
                "");
        return example.with(List.of("Transfer-Encoding: " + encoding), whole(example.body()));
    }
}
