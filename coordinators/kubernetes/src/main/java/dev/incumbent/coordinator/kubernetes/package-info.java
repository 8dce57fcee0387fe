/**
 * A coordinator on Kubernetes' own API: Lease objects of one namespace.
 *
 * <p>From the outside in: {@code KubernetesCoordinator} turns each call of the SPI into an {@code Errand}, the requests that it takes within one
 * bound; {@code Records}, {@code Sessions} and {@code Candidates} know those requests, a class a kind of object; {@code Api} sends so many at
 * once over the {@code Transport}, fabric8's HTTP client. {@code LeaseWatch} serves all watches by one {@code ChangeStream}. What it does next is decided by
 * {@code LeaseCache}, a machine without thread, clock and I/O; the cache's parts are {@code Contents}, {@code Followers}, {@code Rhythm}, {@code Streaming} and
 * {@code Deaths}. {@code Vigil} counts how long a session has been silent, since Kubernetes does not.
 *
 * <p>Imports the coordinator SPI, the vocabulary, {@code dev.incumbent.calls}, and fabric8 alone.
 */
@NullMarked
package dev.incumbent.coordinator.kubernetes;

import org.jspecify.annotations.NullMarked;
