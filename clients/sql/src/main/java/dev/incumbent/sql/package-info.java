/** Where a SQL database is: {@code SqlUri}, read by the coordinator and the fence alike. */
@NullMarked
package dev.incumbent.sql;

import org.jspecify.annotations.NullMarked;
