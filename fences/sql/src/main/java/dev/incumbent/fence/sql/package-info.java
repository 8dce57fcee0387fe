/**
 * Fences in SQL databases: SQLite, PostgreSQL, MariaDB, H2. A database's own part is a {@link dev.incumbent.fence.sql.Dialect}. Imports {@code dev.incumbent.fence},
 * {@code dev.incumbent.model}, the JDK and the drivers.
 */
@NullMarked
package dev.incumbent.fence.sql;

import org.jspecify.annotations.NullMarked;
