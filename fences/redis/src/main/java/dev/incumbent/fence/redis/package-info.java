/**
 * A Redis server as a sink: marks beside the data, and admission in the same script as the write.
 *
 * <p>{@code RedisFence} is what a writer uses, {@code RedisSink} what leaders and operators raise; both ask over a {@code RedisLine}. The rule itself is in the Lua
 * scripts beside this package's classes, which a writer in any language may use.
 *
 * <p>Imports the fence, the vocabulary, {@code dev.incumbent.wire} and Jedis alone.
 */
@NullMarked
package dev.incumbent.fence.redis;

import org.jspecify.annotations.NullMarked;
