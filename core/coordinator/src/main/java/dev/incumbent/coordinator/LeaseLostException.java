package dev.incumbent.coordinator;

import dev.incumbent.model.LeaseId;

/** The lease is dead, for ever. */
public final class LeaseLostException extends CoordinatorException {
    private static final long serialVersionUID = 1L;
    private final transient LeaseId lease;

    public LeaseLostException(LeaseId lease, String why) {
        super("lease " + lease + " is dead: " + why, false);
        this.lease = lease;
    }

    public LeaseId lease() {
        return lease;
    }
}
