/** Where a SQL database is, and what a SQLite file lies on: {@code SqlUri}, {@code FileSystems} and {@code Mounts}, for the coordinator and the fence alike. */
package dev.incumbent.sql;
