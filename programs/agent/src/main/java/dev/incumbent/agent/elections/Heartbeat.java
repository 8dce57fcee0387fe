package dev.incumbent.agent.elections;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What an owner sends.
 *
 * @param id whose it is
 * @param stopped the token of the term in which the owner's work has stopped
 * @param patience for how long the answer may wait for news; at most half of what an answer is worth
 */
public record Heartbeat(String id, OptionalLong stopped, Duration patience) {}
