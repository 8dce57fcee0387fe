package dev.incumbent.coordinator.memory;

import dev.incumbent.model.ObservedRecord;
import java.util.Optional;

/**
 * What a store tells of one election: its state, empty where that cannot be read, and where in the store's life that was. Positions grow
 * within one life; a restored store begins another.
 */
record Told(long life, long position, Optional<ObservedRecord> state) {}
