/** Time outside the protocol: one interface to read and to wait, the system's, and a virtual one for tests. Imports the JDK alone. */
package dev.incumbent.time;
