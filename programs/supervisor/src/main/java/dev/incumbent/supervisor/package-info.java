/**
 * The wrapper's side of the supervisor: starts the C program that keeps a command alive only while it is vouched for,
 * speaks to it, takes over when it is killed or frozen, and tells what exit code a run has.
 *
 * <p>Knows nothing of elections. Imports the JDK alone. Linux only.
 */
package dev.incumbent.supervisor;
