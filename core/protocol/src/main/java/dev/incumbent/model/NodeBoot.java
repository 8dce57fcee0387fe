package dev.incumbent.model;

/**
 * Where a process runs: on which node, in which boot of it, as which process.
 *
 * @param node the name by which fence agents know the machine
 * @param bootId what each boot of the machine draws anew: nothing of an earlier boot acts any more
 * @param process what no other process of that boot is called, so that others on the machine can see that it is gone
 */
public record NodeBoot(String node, String bootId, String process) {
    public NodeBoot {
        Words.checked("a node's name", node);
        Words.checked("a boot id", bootId);
        Words.checked("a process of a node", process);
    }

    /** Is it the same machine? */
    public boolean isOnNodeOf(NodeBoot other) {
        return node.equals(other.node);
    }

    /** Is it the same machine, and has that booted since, or before? */
    public boolean isAnotherBootOf(NodeBoot other) {
        return node.equals(other.node) && !bootId.equals(other.bootId);
    }

    int written() {
        return Words.written(node) + Words.written(bootId) + Words.written(process);
    }

    @Override
    public String toString() {
        return node + " (boot " + bootId + ", process " + process + ")";
    }
}
