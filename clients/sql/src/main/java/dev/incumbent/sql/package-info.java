/**
 * Where a SQL database is and how it is connected to ({@code SqlUri}, {@code EveryAddressSocketFactory}), what a SQLite file lies on ({@code FileSystems},
 * {@code Mounts}), and whether the files under its names are those that were opened ({@code DatabaseFiles}, {@code FileIdentity}): for the coordinator and the fence
 * alike.
 */
package dev.incumbent.sql;
