package dev.incumbent.consul;

/** A call to Consul that did not end in the answer hoped for. The message names the agent, without the token. */
public final class ConsulException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What happened. */
    public enum Kind {
        /** The address cannot be, or a file that it names. */
        MALFORMED,
        /** There was no connection. */
        UNREACHED,
        /** The agent's certificate is not trusted. */
        DISTRUSTED,
        /** It was sent, and the connection ended. */
        BROKEN_OFF,
        /** It was not answered in time. */
        LATE,
        /** The client was closed. */
        CLOSED,
        /** The token has not the right. */
        DENIED,
        /** A transaction was rolled back, for none of its conditions. */
        ROLLED_BACK,
        /** Who answers is no Consul, or one too old. */
        NO_CONSUL,
        /** Anything else was answered. */
        ANSWERED
    }

    private final Kind kind;
    private final String why;
    private final boolean mayHaveApplied;

    ConsulException(Kind kind, String message, String why, boolean mayHaveApplied) {
        super(message);
        this.kind = kind;
        this.why = why;
        this.mayHaveApplied = mayHaveApplied;
    }

    /** The address, or what it names, cannot be used. */
    static ConsulException malformed(String message) {
        return new ConsulException(Kind.MALFORMED, message, message, false);
    }

    ConsulException because(Throwable cause) {
        initCause(cause);
        return this;
    }

    public Kind kind() {
        return kind;
    }

    /** The end of the message: what was told of the cause. */
    public String why() {
        return why;
    }

    /** Was it sent, was it to write, and is not known to have been refused? */
    public boolean mayHaveApplied() {
        return mayHaveApplied;
    }

    /** Does trying again without a change not help? */
    public boolean isUnusable() {
        return switch (kind) {
            case MALFORMED, DISTRUSTED, DENIED, NO_CONSUL -> true;
            case UNREACHED, BROKEN_OFF, LATE, CLOSED, ROLLED_BACK, ANSWERED -> false;
        };
    }
}
