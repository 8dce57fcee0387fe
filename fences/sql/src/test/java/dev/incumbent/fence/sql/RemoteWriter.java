package dev.incumbent.fence.sql;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.List;

/** One transaction of another process. */
final class RemoteWriter implements Writer {
    private final RemoteWriters process;
    private final String name;

    RemoteWriter(RemoteWriters process) {
        this.process = process;
        this.name = process.begin();
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        List<String> answer = process.act(name, "admit", election.value(), token.toString());
        switch (answer.get(0)) {
            case "ok" -> {}
            case "StaleTokenException" -> throw new StaleTokenException(election, token, answer.get(1));
            case "NotRaisedException" -> throw new NotRaisedException(election, token, answer.get(1));
            case "NoTransactionException" -> throw new NoTransactionException(answer.get(1));
            default -> throw new NotAdmittedException(answer.toString());
        }
    }

    @Override
    public void admitText(ElectionName election, String token) throws FenceException {
        List<String> answer = process.act(name, "admitText", election.value(), token);
        if (!answer.get(0).equals("ok")) {
            throw new NotAdmittedException(answer.toString());
        }
    }

    @Override
    public void read() {
        done(process.act(name, "read"));
    }

    @Override
    public void write(String line) {
        done(process.act(name, "write", line));
    }

    @Override
    public void commit() {
        done(process.act(name, "commit"));
    }

    @Override
    public void rollBack() {
        process.act(name, "rollBack");
    }

    private static void done(List<String> answer) {
        if (!answer.get(0).equals("ok")) {
            throw new IllegalStateException(answer.toString());
        }
    }
}
