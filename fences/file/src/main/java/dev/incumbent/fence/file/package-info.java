/**
 * A fence of one file: whoever appends to it or replaces it does so under a lock, while its token is in force.
 *
 * <p>{@code FencedFile} is for those who write, {@code FileSink} for those who raise; {@code Turns} is the lock between processes, {@code MarkFile} what lies beside the
 * file. Imports the fence's contract, the vocabulary, the timeline, and the JDK.
 */
@NullMarked
package dev.incumbent.fence.file;

import org.jspecify.annotations.NullMarked;
