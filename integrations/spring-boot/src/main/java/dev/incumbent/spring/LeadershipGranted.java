package dev.incumbent.spring;

import dev.incumbent.Leadership;

/**
 * An event of the application: a term of this process has begun in an election. {@code LeaderOnly} methods of that election are let in from now on. Listeners of one election are called one at a time and in order, on a thread
 * that renews nothing: one that blocks delays the next event of its election alone. The term may have ended when a listener is called: a {@link LeaderOnly} listener is skipped then.
 */
public record LeadershipGranted(Leadership leadership) {}
