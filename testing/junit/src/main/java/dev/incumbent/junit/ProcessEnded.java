package dev.incumbent.junit;

/** Unwinds the thread of a task whose process has died, or whose world is over. No task should catch it. */
final class ProcessEnded extends Error {
    private static final long serialVersionUID = 1L;

    ProcessEnded() {
        super("this process has ended: its task does nothing more", null, false, false);
    }
}
