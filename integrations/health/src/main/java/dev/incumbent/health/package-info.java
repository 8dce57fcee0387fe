/**
 * Health checks of a process that stands in elections. {@link dev.incumbent.health.HealthMonitor} is where to begin. Imports the library, the coordinator's
 * interface and the JDK.
 */
@NullMarked
package dev.incumbent.health;

import org.jspecify.annotations.NullMarked;
