package dev.incumbent.quorum;

import java.util.List;

/** A node that must not run as it stands, or cannot: the message is one sentence that says why, and what would help. */
public final class NodeRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** In the words of the system. */
    private static final List<String> FULL_OR_BROKEN =
            List.of("No space left on device", "Disk quota exceeded", "Input/output error");

    private final boolean isOfTheDisk;

    NodeRefusal(String sentence) {
        this(sentence, false);
    }

    private NodeRefusal(String sentence, boolean isOfTheDisk) {
        super(sentence);
        this.isOfTheDisk = isOfTheDisk;
    }

    static NodeRefusal ofTheDisk(String sentence) {
        return new NodeRefusal(sentence, true);
    }

    /** Is its disk full or broken? Then nothing of the node's configuration is wrong. */
    public boolean isOfTheDisk() {
        return isOfTheDisk;
    }

    /** Does this tell of a disk that is full or broken? */
    static boolean isOfTheDisk(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String said = String.valueOf(at.getMessage());
            if (FULL_OR_BROKEN.stream().anyMatch(said::contains)) {
                return true;
            }
        }
        return false;
    }
}
