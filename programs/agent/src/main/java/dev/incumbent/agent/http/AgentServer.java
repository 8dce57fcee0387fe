package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The HTTP of one agent, while it is open. Thread-safe. */
public final class AgentServer implements AutoCloseable {
    private final Door door;

    private AgentServer(Door door) {
        this.door = door;
    }

    /**
     * Begins to listen.
     *
     * @param listens where, at least one
     * @param rights by token and by user; without them no port is listened on
     * @param user whose requests over a Unix socket may do everything, beside root's
     * @throws IOException if a socket cannot be had
     */
    public static AgentServer open(
            List<Listen> listens, Optional<Rights> rights, String user, ElectionRouter elections, Meters meters)
            throws IOException {
        if (rights.isEmpty() && listens.stream().anyMatch(Listen.Tcp.class::isInstance)) {
            throw new IllegalArgumentException("an agent that listens on a port needs rights");
        }
        return new AgentServer(
                Door.open(listens, mode(rights), new WholeBody(new Front(new Gate(rights, user), elections, meters))));
    }

    /** Who asks is looked at in any case. */
    private static String mode(Optional<Rights> rights) {
        return rights.filter(Rights::nameUsers).isPresent() ? "rw-rw-rw-" : "rw-------";
    }

    /** Where it listens; a port that was asked for as 0 is the one that was taken. */
    public List<Listen> listens() {
        return door.listens();
    }

    /** Ends all connections, and removes its Unix sockets. */
    @Override
    public void close() {
        door.close();
    }
}
