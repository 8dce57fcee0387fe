package dev.incumbent.cli.run;

import dev.incumbent.Election;
import dev.incumbent.model.CandidateId;
import java.util.function.Function;

/**
 * Where a run stands: over a coordinator, or as a member of a group of peers.
 *
 * @param me this process as a candidate
 * @param close leaves, and waits for that
 */
record RunElections(CandidateId me, Function<String, Election> election, Runnable close) {}
