package dev.incumbent.agent;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Tests of one agent, each of a new one. */
abstract class WithAgent {
    @TempDir
    Path folder;

    AgentAtWork work;

    @BeforeEach
    void start(TestInfo test) throws IOException {
        work = new AgentAtWork(folder, AgentAtWork.lease(test));
    }

    @AfterEach
    void end() {
        work.close();
    }
}
