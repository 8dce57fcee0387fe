/**
 * A coordinator in a SQLite file, the embedded default, shared by the processes of one machine.
 *
 * <p>From the outside in: {@code SqliteCoordinator} turns the SPI's calls into work for {@code SqliteLane}s, each one thread with one
 * connection; {@code SqliteBatches} runs the work of a lane in transactions of a {@code StoreSession} and answers only if the session's files are still the
 * ones that bear the store's names; {@code Leases}, {@code Records} and {@code Candidates} hold the statements, a class a table. {@code Poller} tells the watchers
 * through {@code Audience} and {@code Told}.
 *
 * <p>Imports the coordinator SPI, the vocabulary, the call engine {@code dev.incumbent.calls}, what it shares with the coordinators in other SQL databases
 * ({@code dev.incumbent.jdbc}), and SQLite's driver.
 */
@NullMarked
package dev.incumbent.coordinator.sqlite;

import org.jspecify.annotations.NullMarked;
