package dev.incumbent.coordinator;

import dev.incumbent.model.LeaseId;
import java.time.Duration;

/** A lease, and the length that the holder may count on. If the store may end it earlier than it says, this time is subtracted already. */
public record GrantedLease(LeaseId id, Duration timeToLive) {}
