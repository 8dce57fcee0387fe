/**
 * The verb {@code run}: a command that lives only while this process leads.
 *
 * <p>The election library says who leads and how long it is valid; the supervisor keeps the command alive no longer than that. Imports both, the
 * frame, the protocol's events as the library's trace tells them, and the JDK.
 */
@NullMarked
package dev.incumbent.cli.run;

import org.jspecify.annotations.NullMarked;
