package dev.incumbent.model;

/** The one check of the words that are opaque to us: printable, without blanks, of bounded length. */
final class Words {
    private static final int LONGEST = 512;
    private static final int LONGEST_ESCAPE = 6;

    private Words() {}

    static void checked(String what, String value) {
        if (value.isEmpty() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    what + " has 1 to " + LONGEST + " characters, this one has " + value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                throw new IllegalArgumentException(
                        what + " '" + value + "' has a blank or control character at position " + (i + 1));
            }
        }
    }

    /** At most so many characters of JSON: what is not plain ASCII may be written as an escape. */
    static int written(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += c < ' ' || c > '~' ? LONGEST_ESCAPE : c == '"' || c == '\\' ? 2 : 1;
        }
        return length;
    }
}
