package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ObservedRecord;
import java.util.Optional;

/** What a {@link LeaseCache} wants done, in this order. */
sealed interface CacheEffect {
    /** Ask for all records and sessions. */
    record SendList() implements CacheEffect {}

    /** Ask for the store's position. */
    record SendProbe() implements CacheEffect {}

    /** Ask for all changes since that position. One stream is open at a time. */
    record OpenStream(long stream, long position) implements CacheEffect {}

    /** End the stream that is open. What it still tells is not listened to. */
    record CloseStream(long stream) implements CacheEffect {}

    /** Delete a session whose time is over, if it still is as it was seen. */
    record Bury(Stored session) implements CacheEffect {}

    /** Tell a watcher the present state; none where the record cannot be understood. */
    record Tell(Watching watching, Optional<ObservedRecord> state) implements CacheEffect {}

    /** Tell a watcher that it may have missed something. */
    record TellGap(Watching watching) implements CacheEffect {}
}
