package dev.incumbent.agent.elections;

import dev.incumbent.agent.owners.OwnersEffect.Why;

/** Somebody who follows an election. Called on the one thread that owns the state of all owners, so each call must return at once, and throw nothing. */
public interface Follower {
    /** It follows from now on; it does not where this returns false. */
    boolean begin();

    /** It may not follow, and hears nothing more. */
    void refuse(Why why);

    /** In the order in which it happened; changes of leader are not ordered with what happens on this host. */
    void hear(News news);

    /** Is called at least every {@link Bounds#BETWEEN_SIGNS}: whoever follows shows that it is still there. */
    void sign();

    /** The agent ends; nothing more is heard. */
    void end();
}
