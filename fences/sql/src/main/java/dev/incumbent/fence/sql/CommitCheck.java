package dev.incumbent.fence.sql;

import java.sql.SQLException;

/** What a fence asks around a commit where its database may acknowledge one that counts for nothing. Called by the thread that uses the connection. */
interface CommitCheck {
    /** In a transaction that was admitted: fails where it may not be committed. */
    void beforeCommit() throws SQLException;

    /** Fails where it is uncertain what became of the commit that was just acknowledged. */
    void afterCommit() throws SQLException;

    /** No transaction that was admitted is under way any more. */
    void ended();
}
