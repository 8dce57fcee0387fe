package dev.incumbent.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Lines of headers that are none, or that contradict each other. */
final class Headers {
    private static final int MIDDLE = 64;

    private Headers() {}

    private static String among(Dice dice, Example example, String line) {
        List<String> all = new ArrayList<>(example.headers());
        all.add(dice.below(all.size() + 1), line);
        return example.withHeaders(all).text();
    }

    static String duplicate(Dice dice, Example example) {
        String twice = dice.pick(example.headers());
        return among(dice, example, dice.once(2) ? twice : twice.toUpperCase(java.util.Locale.ROOT));
    }

    static String noColon(Dice dice, Example example) {
        return among(dice, example, dice.pick("X-Header", "X-Header x", "Authorization Bearer x", "=", "x\u00e4"));
    }

    static String controlByte(Dice dice, Example example) {
        String control = Character.toString(dice.control());
        return among(dice, example, dice.once(2) ? "X-A" + control + "B: c" : "X-A: b" + control + "c");
    }

    static String noAscii(Dice dice, Example example) {
        return among(
                dice,
                example,
                dice.pick("X-\u00e4: b", "X-A: \u00c3\u00a4", "X-A: \u00ff\u00fe", "\u00e2\u0082\u00ac: x"));
    }

    static String longName(Dice dice, Example example) {
        return among(dice, example, "X".repeat(dice.between(MIDDLE, 20_000)) + ": x");
    }

    static String folded(Dice dice, Example example) {
        return among(dice, example, "X-Folded: a\r\n" + dice.pick(" b", "\tb", "  ", "\t\r\n c", " : d"));
    }

    static String crWithoutLf(Dice dice, Example example) {
        return dice.once(2) ? example.text().replace("\r\n", "\r") : among(dice, example, "X-A: b\rX-C: d");
    }

    static String lfWithoutCr(Dice dice, Example example) {
        return dice.once(2) ? example.text().replace("\r\n", "\n") : among(dice, example, "X-A: b\nX-C: d");
    }

    static String spaceBeforeColon(Dice dice, Example example) {
        return among(
                dice,
                example,
                dice.pick("X-A : b", "Content-Length : 5", "Transfer-Encoding : chunked", " X-A: b", "\tX-A: b"));
    }

    static String noName(Dice dice, Example example) {
        return among(dice, example, dice.pick(": b", ":", "::", " : b", ":\u0000"));
    }

    static String badHost(Dice dice, Example example) {
        String host =
                dice.pick("", "a b", "[::1", "localhost:99999", "localhost:-1", "a/b", "\u0000", "x".repeat(3_000));
        List<String> all = new ArrayList<>(example.headers());
        all.removeIf(header -> header.startsWith("Host:"));
        if (!dice.once(5)) {
            all.add("Host: " + host);
        }
        if (dice.once(3)) {
            all.add("Host: other");
        }
        return example.withHeaders(all).text();
    }

    /** In the headers of ours that bear one. */
    static String badNumber(Dice dice, Example example) {
        String name = dice.pick("Incumbent-Within", "Fencing-Patience", "Fencing-Token", "Keep-Alive", "Range");
        String number = Bodies.number(dice);
        return example.withHeader(name + ": " + (name.equals("Fencing-Token") ? "fuzz/other=" : "") + number)
                .text();
    }

    static String expectation(Dice dice, Example example) {
        return example.withHeader("Expect: " + dice.pick("100-continue", "200-maybe", "", "100-continue, 100-continue"))
                .text();
    }

    static String upgrade(Dice dice, Example example) {
        return example.withHeader("Connection: Upgrade, HTTP2-Settings, close, keep-alive")
                .withHeader("Upgrade: " + dice.pick("h2c", "websocket", "TLS/1.0", "\u0001"))
                .withHeader("HTTP2-Settings: " + dice.pick("AAMAAABkAARAAAAAAAIAAAAA", "====", ""))
                .text();
    }
}
