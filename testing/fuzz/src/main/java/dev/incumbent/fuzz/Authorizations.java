package dev.incumbent.fuzz;

/** Tokens that are not the right one, however near, and right ones that are shown in a wrong way. */
final class Authorizations {
    private static final String WRONG = "Bearer no-such-token";

    private Authorizations() {}

    private static String shown(Example example, String value) {
        return example.ofNobody().withHeader(Example.AUTHORIZATION + value).text();
    }

    static String none(Dice dice, Example example) {
        return example.ofNobody().text();
    }

    static String wrong(Dice dice, Example example) {
        return shown(
                example,
                dice.pick(WRONG, "Bearer", "Bearer ", "", "x", "Bearer " + dice.printable(dice.between(1, 5_000))));
    }

    static String nearly(Dice dice, Example example) {
        String right = example.authorization();
        return shown(
                example,
                dice.pick(
                        right.substring(0, right.length() - 1),
                        right + "x",
                        right + right.charAt(right.length() - 1),
                        right.replaceFirst("Bearer .", "Bearer "),
                        right.replaceFirst("Bearer ", "Bearer x")));
    }

    static String withJunk(Dice dice, Example example) {
        String right = example.authorization();
        return shown(
                example,
                right
                        + dice.pick(
                                ", " + WRONG,
                                "," + right,
                                ";",
                                "\u00e4",
                                "=",
                                " x",
                                ", realm=\"a\"",
                                "/../",
                                "\u0001x",
                                "\u0000x"));
    }

    static String two(Dice dice, Example example) {
        String right = Example.AUTHORIZATION + example.authorization();
        String wrong = Example.AUTHORIZATION + WRONG;
        Example nobody = example.ofNobody();
        return dice.once(2)
                ? nobody.withHeader(right).withHeader(wrong).text()
                : nobody.withHeader(wrong).withHeader(right).text();
    }

    static String otherScheme(Dice dice, Example example) {
        String token = example.authorization().replaceFirst("Bearer ", "");
        return shown(example, dice.pick("bearer ", "BEARER ", "Basic ", "Digest ", "Bearer  ", "Bearer:", "") + token);
    }
}
