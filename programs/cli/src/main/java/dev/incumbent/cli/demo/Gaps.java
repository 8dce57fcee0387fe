package dev.incumbent.cli.demo;

import java.time.Duration;

/**
 * How long nobody led.
 *
 * @param failover from the kill of a leader to its successor's task
 * @param transfer from the end of a leader's task to its successor's
 */
record Gaps(Duration failover, Duration transfer) {}
