package dev.incumbent.coordinator.peers;

/** What has arrived is no message, or not for this member; says why in a sentence. */
final class MessageException extends Exception {
    private static final long serialVersionUID = 1L;

    MessageException(String why) {
        super(why);
    }

    MessageException(Exception cause) {
        super("it is no message: " + cause, cause);
    }
}
