/** Meters of elections for Micrometer. {@link dev.incumbent.micrometer.ElectionMeters} is where to begin. */
package dev.incumbent.micrometer;
