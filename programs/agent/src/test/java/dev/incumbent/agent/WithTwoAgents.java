package dev.incumbent.agent;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the agents of two hosts, each of new ones. */
abstract class WithTwoAgents {
    @TempDir
    Path folder;

    AgentPair agents;

    @BeforeEach
    void start(TestInfo test) throws IOException {
        agents = new AgentPair(folder, AgentAtWork.lease(test));
    }

    @AfterEach
    void end() {
        agents.close();
    }
}
