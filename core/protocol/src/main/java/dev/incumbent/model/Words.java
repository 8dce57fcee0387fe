package dev.incumbent.model;

/** The one check of the words that are opaque to us: printable, without blanks, of bounded length. */
final class Words {
    private static final int LONGEST = 512;

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
}
