package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;

/** No leader has raised this sink to that token: it was not named as a guarded sink, or it went back. SQL code {@code IF002}. */
public final class NotRaisedException extends FenceException {
    private static final long serialVersionUID = 1L;

    public NotRaisedException(ElectionName election, FencingToken token, String inForce) {
        super("token " + token + " of " + election + " was not raised here: the mark is " + inForce);
    }
}
