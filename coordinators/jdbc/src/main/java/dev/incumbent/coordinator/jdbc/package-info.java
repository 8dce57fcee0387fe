/**
 * A coordinator in a SQL database; today SQLite, the embedded default, shared by the processes of one machine.
 *
 * <p>From the outside in: {@code SqliteCoordinator} turns the SPI's calls into work for {@code Lane}s, each one thread with one
 * connection; a lane runs its work in transactions of a {@code StoreSession} and answers only if the session's files are still the
 * ones that bear the store's names; {@code Leases}, {@code Elections} and {@code Candidates} hold the statements, a class a table.
 * Another dialect brings its own sessions and statements beside these.
 *
 * <p>Imports the coordinator SPI, the vocabulary, and SQLite's driver alone.
 */
@NullMarked
package dev.incumbent.coordinator.jdbc;

import org.jspecify.annotations.NullMarked;
