package dev.incumbent.agent;

import dev.incumbent.agent.http.Listen;
import dev.incumbent.fuzz.Footprint;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** An agent as a process of its own, with its tokens' file in that folder. */
final class AgentProcess implements AutoCloseable {
    private final ServerProcess process;
    private final Listen.Tcp port;
    private final Listen.Unix socket;

    AgentProcess(TemporaryFolder folder, String tokens) throws IOException {
        Files.writeString(folder.resolve("tokens"), tokens);
        Path told = folder.resolve("port");
        process = ServerProcess.start(
                "agent", AgentMain.command(folder.path()), Map.of(), folder.path(), () -> Files.exists(told));
        port = (Listen.Tcp) Listen.parse(Files.readString(told));
        socket = new Listen.Unix(folder.resolve("agent.sock"));
    }

    PlainHttp port() {
        return PlainHttp.to(port);
    }

    int portNumber() {
        return port.port();
    }

    PlainHttp socket() {
        return PlainHttp.to(socket);
    }

    Path socketPath() {
        return socket.path();
    }

    Footprint footprint() {
        return Footprint.of(process.pid());
    }

    /** All that it wrote. */
    String log() {
        return process.log();
    }

    @Override
    public void close() {
        process.close();
    }
}
