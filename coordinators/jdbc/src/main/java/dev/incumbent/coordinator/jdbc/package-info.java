/**
 * A coordinator in a SQL database: SQLite, the embedded default, shared by the processes of one machine; and PostgreSQL, MariaDB, MySQL and H2.
 *
 * <p>From the outside in: {@code SqliteCoordinator} turns the SPI's calls into work for {@code SqliteLane}s, each one thread with one
 * connection; {@code SqliteBatches} runs the work of a lane in transactions of a {@code StoreSession} and answers only if the session's files are still the
 * ones that bear the store's names; {@code Leases}, {@code Records} and {@code Candidates} hold the statements, a class a table.
 *
 * <p>{@code ServerCoordinator} does the same with {@code ServerLanes}, whose threads serve calls by {@code ServerStatements}, each with a {@code ServerSession} in
 * autocommit: no files are to be looked at there, but a call that was sent may have applied. {@code ServerLeases}, {@code ServerElections} and
 * {@code ServerCandidates} hold the statements, and a {@code Dialect} what each database does in its own way. Both tell their watchers through {@code Audience}
 * and {@code Told}.
 *
 * <p>Imports the coordinator SPI, the vocabulary, the call engine {@code dev.incumbent.calls}, and the databases' drivers; a driver is loaded with the first URI that asks for it.
 */
@NullMarked
package dev.incumbent.coordinator.jdbc;

import org.jspecify.annotations.NullMarked;
