/**
 * What the coordinators in a SQLite file and in SQL databases share.
 *
 * <p>{@code Sql} runs statements on one connection, {@code Names} writes elections as the argument of a query, and {@code Told} compares what a poll read with
 * what the watchers know. Imports the coordinator SPI, the vocabulary and {@code java.sql} alone; drivers are the coordinators'.
 */
package dev.incumbent.jdbc;
