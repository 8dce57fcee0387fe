package dev.incumbent.quorum;

/** A file that is no snapshot of a quorum, is not as it was written, or needs another build: the message is one sentence that names the file and says why. */
public final class UnusableSnapshot extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableSnapshot(String sentence) {
        super(sentence);
    }
}
