package dev.incumbent.quorum;

/** An entry or a snapshot that this build does not understand, so that it cannot know the state that follows. The message says which, in a few words. */
final class UnknownFormat extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 40;

    UnknownFormat(String what) {
        super(what);
    }

    /** As much of a word of the log as may stand in a sentence. */
    static String shown(String word) {
        String plain = word.replaceAll("[^A-Za-z0-9@_-]", "?");
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
    }
}
