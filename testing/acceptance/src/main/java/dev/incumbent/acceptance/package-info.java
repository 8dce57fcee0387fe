/**
 * The whole on the real servers: {@link dev.incumbent.acceptance.DemoEverywhere} plays the demo on every coordinator, {@link
 * dev.incumbent.acceptance.FailoverTable} measures each one, {@link dev.incumbent.acceptance.ClusterTrial} puts ensembles of three
 * members to the trial. Run by scripts/accept-coordinators, benchmarks/failover and scripts/cluster-trial.
 */
@NullMarked
package dev.incumbent.acceptance;

import org.jspecify.annotations.NullMarked;
