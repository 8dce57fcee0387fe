package dev.incumbent.agent;

import dev.incumbent.agent.alarms.AlarmCommand;
import dev.incumbent.agent.alarms.AlarmListener;
import dev.incumbent.agent.alarms.AlarmLog;
import dev.incumbent.agent.alarms.QueuedAlarms;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.http.AgentServer;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.agent.http.Meters;
import dev.incumbent.agent.http.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The agent of one host: programs in any language hold elections through its HTTP.
 *
 * <p>Thread-safe. Keep it open for as long as programs of this host shall be able to lead.
 */
public final class HostAgent implements AutoCloseable {
    private static final Path SELF = Path.of("/proc/self");

    private final ElectionRouter elections;
    private final AgentServer server;
    private final AlarmTellers told;

    private HostAgent(ElectionRouter elections, AgentServer server, AlarmTellers told) {
        this.told = told;
        this.elections = elections;
        this.server = server;
    }

    /**
     * Where an agent listens.
     *
     * @param sockets at least one
     * @param rights by token and by user; needed where a port is listened on
     * @param user the name of the user whose requests over a Unix socket may do everything, beside root's
     */
    public record Access(List<Listen> sockets, Optional<Rights> rights, String user) {
        public Access {
            sockets = List.copyOf(sockets);
        }
    }

    /**
     * Begins a session at each coordinator and listens. Does not wait for a lease.
     *
     * @throws IOException if a socket cannot be had; nothing stays open then
     */
    public static HostAgent start(HostSetup setup, Access access) throws IOException {
        return start(setup, access, Optional.empty());
    }

    /**
     * The same.
     *
     * @param onAlarm runs for each alarm; closed with the agent
     */
    public static HostAgent start(HostSetup setup, Access access, Optional<AlarmCommand> onAlarm) throws IOException {
        Meters meters = new Meters();
        AlarmTellers told = AlarmTellers.begin(onAlarm);
        ElectionRouter elections = open(meters, setup, told);
        meters.count(elections);
        try {
            AgentServer server = AgentServer.open(access.sockets(), access.rights(), access.user(), elections, meters);
            return new HostAgent(elections, server, told);
        } catch (IOException | RuntimeException unopened) {
            elections.close();
            told.close();
            throw unopened;
        }
    }

    private static ElectionRouter open(Meters meters, HostSetup setup, AlarmTellers told) {
        try {
            return ElectionRouter.open(
                    meters.around(setup), meters::elections, name -> List.of(meters.raised(name), told.alarms()));
        } catch (RuntimeException unopened) {
            told.close();
            throw unopened;
        }
    }

    /** Who is told of alarms. */
    private record AlarmTellers(QueuedAlarms alarms, Optional<AlarmCommand> command) {
        static AlarmTellers begin(Optional<AlarmCommand> command) {
            List<AlarmListener> listeners = new ArrayList<>(List.of(new AlarmLog()));
            command.ifPresent(listeners::add);
            return new AlarmTellers(new QueuedAlarms(listeners), command);
        }

        void close() {
            alarms.close();
            command.ifPresent(AlarmCommand::close);
        }
    }

    /** The name of the user that this process runs as, as the kernel knows it. */
    public static String ownUser() {
        try {
            return Files.getOwner(SELF).getName();
        } catch (IOException | UnsupportedOperationException notLinux) {
            return System.getProperty("user.name", "");
        }
    }

    /** Does each of its threads that own state take another turn within that time? Blocks for that long at most. */
    public boolean lives(Duration within) {
        return elections.lives(within);
    }

    /** Where it listens; a port that was asked for as 0 is the one that was taken. */
    public List<Listen> listens() {
        return server.listens();
    }

    /**
     * Grants nothing more, and gives up each term once its owner has stopped or its sub-lease has passed. Then it leaves all elections and ends all connections.
     * Blocks until then; about a lease at the longest, however many coordinators there are.
     */
    @Override
    public void close() {
        elections.close();
        server.close();
        told.close();
    }
}
