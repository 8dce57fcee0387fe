/** Where a SQL database is: {@code SqlUri}, read by the coordinator and the fence alike. */
package dev.incumbent.sql;
