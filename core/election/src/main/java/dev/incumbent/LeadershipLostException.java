package dev.incumbent;

/** The leadership is over, or cannot be proved any more: do nothing further in its name. */
public final class LeadershipLostException extends Exception {
    private static final long serialVersionUID = 1L;

    public LeadershipLostException(String message) {
        super(message);
    }
}
