package dev.incumbent.fuzz;

/** What speaks no HTTP/1.1, and many requests at once. */
final class Protocols {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int FRAME_TYPES = 12;

    private Protocols() {}

    static String http2(Dice dice, Example example) {
        StringBuilder text = new StringBuilder(PREFACE);
        for (int i = dice.below(20); i > 0; i--) {
            text.append(frame(dice));
        }
        return text.toString();
    }

    /** Its length may be another than it says. */
    private static String frame(Dice dice) {
        String payload = dice.bytes(dice.below(60));
        int told = dice.once(4) ? dice.below(1 << 24) : payload.length();
        return number(told, 3)
                + number(dice.below(FRAME_TYPES), 1)
                + number(dice.below(256), 1)
                + number(dice.below(8), 4)
                + payload;
    }

    static String number(int value, int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = bytes - 1; i >= 0; i--) {
            text.append((char) ((value >>> (i * Byte.SIZE)) & 0xff));
        }
        return text.toString();
    }

    /** A record of TLS with a hello in it, some of whose lengths are not so. */
    static String tlsHello(Dice dice, Example example) {
        String suites = number(0x1301, 2) + number(0xc02b, 2) + dice.bytes(2 * dice.below(40));
        String extensions = number(0x2b, 2) + number(3, 2) + "\u0002\u0003\u0004" + dice.bytes(dice.below(200));
        String body = "\u0003\u0003" + dice.bytes(32) + "\u0000" + number(length(dice, suites), 2) + suites
                + "\u0001\u0000" + number(length(dice, extensions), 2) + extensions;
        String hello = "\u0001" + number(length(dice, body), 3) + body;
        return dice.pick("\u0016", "\u0016", "\u0016", "\u0014", "\u0015", "\u0017")
                + "\u0003"
                + dice.pick("\u0001", "\u0003", "\u0000", "\u00ff")
                + number(length(dice, hello), 2)
                + hello
                + dice.bytes(dice.below(30));
    }

    private static int length(Dice dice, String of) {
        return dice.once(5) ? dice.below(1 << 16) : of.length();
    }

    static String other(Dice dice, Example example) {
        return dice.pick(
                "SSH-2.0-OpenSSH_9.2\r\n",
                "*1\r\n$4\r\nPING\r\n",
                "EHLO localhost\r\nQUIT\r\n",
                "USER anonymous\r\n",
                "\u0000\u0000\u0000\b\u0004\u00d2\u0016/",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n" + example.text(),
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "\u0005\u0001\u0000",
                "<policy-file-request/>\u0000");
    }

    static String noise(Dice dice, Example example) {
        return dice.bytes(dice.between(1, 5_000));
    }

    /** Right ones, and one that is not. */
    static String pipelined(Dice dice, Example example) {
        String bad = dice.pick("\u0000\r\n\r\n", "GET\r\n\r\n", Changes.bitsFlipped(dice, example), "");
        return example.text().repeat(dice.between(1, 20)) + bad + example.text();
    }
}
