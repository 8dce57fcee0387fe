/**
 * A coordinator in a SQL database: PostgreSQL, MariaDB and MySQL on a server, H2 in a file of this process.
 *
 * <p>From the outside in: {@code ServerCoordinator} turns the SPI's calls into work for {@code ServerLanes}, whose threads serve calls by {@code ServerStatements},
 * each with a {@code ServerSession} in autocommit: a call that was sent may have applied. {@code ServerLeases}, {@code ServerElections} and
 * {@code ServerCandidates} hold the statements, and a {@code Dialect} what each database does in its own way. {@code ServerWatch} tells the watchers through
 * {@code Audience} and {@code Told}.
 *
 * <p>Imports the coordinator SPI, the vocabulary, the call engine {@code dev.incumbent.calls}, what it shares with the coordinator in a SQLite file
 * ({@code dev.incumbent.jdbc}), and the databases' drivers, which an application brings; a driver is loaded with the first URI that asks for it.
 */
@NullMarked
package dev.incumbent.coordinator.sql;

import org.jspecify.annotations.NullMarked;
