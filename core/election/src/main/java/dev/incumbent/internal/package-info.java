/**
 * What drives the machines: one loop, one session, a driver for each election, a thread for each task. Imports the public API beside it, floors 0 and 1, and the JDK.
 */
package dev.incumbent.internal;
