/**
 * Fence agents as programs: turns off the machine of a former leader by Pacemaker's fence agents or by commands of your own, and sees on this machine whether a process is gone. {@link
 * dev.incumbent.stonith.ProgramFenceAgent} is where to begin. Needs Linux. Imports the library, the coordinator's interface and the JDK.
 */
@NullMarked
package dev.incumbent.stonith;

import org.jspecify.annotations.NullMarked;
