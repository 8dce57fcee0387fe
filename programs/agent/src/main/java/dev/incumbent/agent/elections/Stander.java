package dev.incumbent.agent.elections;

import java.time.Duration;
import java.util.Optional;

/**
 * A program that asks to stand.
 *
 * @param name for people
 * @param ttl its time to live
 * @param watched shall the watchdog of the host guard its work?
 * @param process the process whose end is the end of its work; empty where only its word counts
 */
public record Stander(String name, Duration ttl, boolean watched, Optional<OwnerProcess> process) {
    /** One that asks for no watchdog. */
    public Stander(String name, Duration ttl) {
        this(name, ttl, false, Optional.empty());
    }
}
