/** Where a database of Redis is: {@code RedisUri}, read by the coordinators and the fence alike. */
package dev.incumbent.redis;
