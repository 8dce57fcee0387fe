/** The contract of fences, as tests. A provider extends {@link dev.incumbent.fence.tck.FenceContract} by one method that makes its rig. Imports {@code dev.incumbent.fence}, {@code dev.incumbent.model}, JUnit and AssertJ. */
package dev.incumbent.fence.tck;
