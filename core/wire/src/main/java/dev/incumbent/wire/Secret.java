package dev.incumbent.wire;

/** A token or password as a header can carry it: one line, without the white space around it. An HTTP client would print one that it cannot carry. */
public final class Secret {
    private Secret() {}

    /**
     * The secret in a text that a file or a variable holds. Its failure names {@code where}, and repeats nothing of the text.
     *
     * @throws UriException if nothing is left of it, or a control character stands in it
     */
    public static String in(String where, String text) {
        String secret = text.strip();
        if (secret.isEmpty()) {
            throw new UriException(where + " is empty");
        }
        if (secret.chars().anyMatch(Character::isISOControl)) {
            throw new UriException(where + " holds more than one line, or another control character");
        }
        return secret;
    }
}
