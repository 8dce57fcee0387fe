package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.LeaseId;
import java.util.List;

/** What has happened to a {@link LeaseCache}. Every effect that asks is answered by exactly one of these. */
sealed interface CacheEvent {
    /** Somebody watches an election. */
    record Joined(Watching watching) implements CacheEvent {}

    /** Somebody watches no longer. */
    record Left(Watching watching) implements CacheEvent {}

    /** This process has written a record or a session, at that position of the store. */
    record Wrote(long position) implements CacheEvent {}

    /** The list was answered: these objects, and no others, as of that position. */
    record Listed(long position, List<Stored> objects) implements CacheEvent {}

    /** The probe was answered: the store has come to that position. */
    record Probed(long position) implements CacheEvent {}

    /** The list, or the probe, was not answered, or refused; the server asked to be left alone for so long, or did not say. */
    record Unanswered(boolean isList, long retryAfterNanos) implements CacheEvent {}

    /** The server has begun to answer that stream: changes may come. */
    record StreamBegan(long stream) implements CacheEvent {}

    /** That stream told that an object was ADDED, MODIFIED or DELETED; or a BOOKMARK told the position alone. */
    record Changed(long stream, String type, Stored object) implements CacheEvent {}

    /** That stream is over, or never began. */
    record StreamEnded(long stream, Ending ending) implements CacheEvent {}

    /** A session was deleted, by us or by somebody before us; or it was not, as far as is known. */
    record Buried(LeaseId lease, boolean isGone) implements CacheEvent {}

    /** The time to wake has come, or anybody thought so. */
    record Woken() implements CacheEvent {}

    /** Nobody watches any more, for good. */
    record Closed() implements CacheEvent {}
}
