package dev.incumbent.agent.elections;

/** The term in which an owner of this host was told that it leads, and is still granted to lead; and whether the agent's lease is in jeopardy. */
record Hold(long token, boolean inJeopardy) {}
