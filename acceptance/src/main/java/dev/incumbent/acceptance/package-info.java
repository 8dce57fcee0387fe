/**
 * The whole on the real servers: {@link dev.incumbent.acceptance.DemoEverywhere} plays the demo on every coordinator, {@link
 * dev.incumbent.acceptance.FailoverTable} measures each one. Run by scripts/accept-coordinators and benchmarks/failover.
 */
@NullMarked
package dev.incumbent.acceptance;

import org.jspecify.annotations.NullMarked;
