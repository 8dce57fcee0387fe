package dev.incumbent.fuzz;

/** First lines whose path, method or version is none, or that lead nowhere. */
final class Paths {
    private Paths() {}

    static String encoded(Dice dice, Example example) {
        StringBuilder path = new StringBuilder("/");
        for (int i = 1; i < example.path().length(); i++) {
            char c = example.path().charAt(i);
            path.append(dice.once(2) ? String.format("%%%02x", (int) c) : Character.toString(c));
        }
        return example.at(path.toString()).text();
    }

    static String badEscape(Dice dice, Example example) {
        return example.at(example.path() + dice.pick("%", "%2", "%zz", "%%", "%c0%af", "%ff", "%u0041", "%0d%0aX:%20y"))
                .text();
    }

    static String dotSegments(Dice dice, Example example) {
        String path = example.path();
        return example.at(dice.pick(
                        "/x/.." + path,
                        "/." + path,
                        "/../.." + path,
                        "/%2e%2e" + path,
                        path + "/..",
                        path + "/../../../../etc/passwd",
                        "/" + path,
                        path + "//",
                        path.replaceFirst("/", "/;x=y/"),
                        path + ";jsessionid=x",
                        path.replace("/", "\\")))
                .text();
    }

    static String nul(Dice dice, Example example) {
        return example.at(example.path() + dice.pick("%00", "\u0000", "/%00/x", "\u0000.txt"))
                .text();
    }

    static String absolute(Dice dice, Example example) {
        return example.at(dice.pick("http://elsewhere", "HTTP://localhost:1", "ftp://x", "http:", "x:", "http://[::1")
                        + example.path())
                .text();
    }

    static String none(Dice dice, Example example) {
        return example.at(dice.pick("*", "", "?", "#", "localhost:80", "x", ":", "?" + example.path()))
                .text();
    }

    static String tooLong(Dice dice, Example example) {
        return example.at(
                        example.path() + dice.pick("/x", "/..", "%2f", "/", "a").repeat(dice.between(300, 9_000)))
                .text();
    }

    static String unknown(Dice dice, Example example) {
        return example.at(dice.pick(
                        "/",
                        "/v1",
                        "/v2/status",
                        "/admin",
                        "/v1/calls2",
                        "/health",
                        "/healthz",
                        "/incumbent",
                        example.path() + "/" + dice.pick("x", "\u00e4", "%20", "x/y/z"),
                        example.path() + "?x=" + dice.bytes(5).replaceAll("[\\r\\n ]", "")))
                .text();
    }

    static String otherMethod(Dice dice, Example example) {
        return example.withMethod(
                        dice.pick("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"))
                .text();
    }

    static String badMethod(Dice dice, Example example) {
        return example.withMethod(dice.pick(
                        "get", "G\u0000T", "", "G E T", "X".repeat(5_000), "\u00e4", "GET\t", "(", "PRI", "QUIT"))
                .text();
    }

    static String badVersion(Dice dice, Example example) {
        String version = dice.pick(
                "HTTP/0.9",
                "HTTP/1.0",
                "HTTP/1.2",
                "HTTP/2.0",
                "HTTP/9.9",
                "HTTP/1.1.1",
                "HTTP/",
                "http/1.1",
                "HTTP/1.1x",
                "");
        return example.text().replaceFirst("HTTP/1\\.1", version);
    }

    static String badFirstLine(Dice dice, Example example) {
        String line = dice.pick(
                example.method(),
                example.method() + example.path(),
                "  " + example.firstLine(),
                example.firstLine() + " x",
                example.firstLine().replace(" ", "\t"),
                example.firstLine().replace(" ", "   "),
                "HTTP/1.1 200 OK",
                dice.printable(30),
                dice.bytes(30));
        return Example.head(line, example.headers(), java.util.List.of()) + example.body();
    }
}
