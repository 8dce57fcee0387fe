package dev.incumbent.etcd;

/** A call to etcd that did not end in an answer. The message names the server, without credentials. */
public final class EtcdException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is known of the call. */
    public enum Kind {
        /** It was not sent, or refused: it has not applied. Trying again may help. */
        NOT_APPLIED,
        /** etcd answered that the lease it names is dead. */
        LEASE_NOT_FOUND,
        /** It has not applied, and trying again without a change does not help: no permission, no etcd, an address that cannot be. */
        UNUSABLE,
        /** A member answered it, but etcd changed its leader meanwhile: it may have applied or not. The connection is good for the next call. */
        LEADER_CHANGED,
        /** It was sent, and may have applied. */
        UNCERTAIN
    }

    private final Kind kind;

    public EtcdException(String message, Kind kind) {
        super(message);
        this.kind = kind;
    }

    public EtcdException(String message, Kind kind, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    static EtcdException of(String message, boolean mayHaveApplied) {
        return new EtcdException(message, mayHaveApplied ? Kind.UNCERTAIN : Kind.NOT_APPLIED);
    }

    /** The same, of a call that writes nothing. */
    EtcdException harmless() {
        return new EtcdException(String.valueOf(getMessage()), Kind.NOT_APPLIED, this);
    }

    public Kind kind() {
        return kind;
    }
}
