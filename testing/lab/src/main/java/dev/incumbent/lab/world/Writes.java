package dev.incumbent.lab.world;

/**
 * What became of the leaders' writes.
 *
 * @param acknowledged how many were acknowledged
 * @param lost how many were overwritten by a leader that did not know them, each counted once; of a protocol with a fence, until the fence told its leader
 * @param stale how many came from a leader after its successor had begun
 * @param lostThoughFenced the same at the copy with a fence; nothing is written there without a token
 * @param staleThoughFenced the same at the copy with a fence
 */
public record Writes(long acknowledged, long lost, long stale, long lostThoughFenced, long staleThoughFenced) {}
