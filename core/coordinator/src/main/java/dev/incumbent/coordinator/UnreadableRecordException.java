package dev.incumbent.coordinator;

/**
 * A text is no record that this version can read: malformed, foreign, or of a later format. The message is one sentence; an adapter
 * tells it as {@link Reading.Foreign}. Checked, so that no adapter forgets that one bad record must spoil no other.
 */
public final class UnreadableRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnreadableRecordException(String message) {
        super(message);
    }

    public UnreadableRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
