package dev.incumbent.quorum;

/** A node that must not run as it stands: the message is one sentence that says why, and what would help. */
public final class NodeRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NodeRefusal(String sentence) {
        super(sentence);
    }
}
