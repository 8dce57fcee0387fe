package dev.incumbent.coordinator;

import dev.incumbent.model.LeaseId;
import java.time.Duration;

/** A lease, and the length that really holds: what the store may shorten is subtracted already. */
public record GrantedLease(LeaseId id, Duration timeToLive) {}
