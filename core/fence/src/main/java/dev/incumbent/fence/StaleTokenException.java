package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;

/** A later term has raised this sink: the term of this token is over, and its leader must stop at once. The SQL code is {@code IF001}. */
public final class StaleTokenException extends FenceException {
    private static final long serialVersionUID = 1L;
    private final transient ElectionName election;
    private final transient FencingToken token;

    public StaleTokenException(ElectionName election, FencingToken token, String inForce) {
        super("stale token " + token + " of " + election + ": the mark is " + inForce);
        this.election = election;
        this.token = token;
    }

    public ElectionName election() {
        return election;
    }

    public FencingToken token() {
        return token;
    }
}
