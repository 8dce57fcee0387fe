package dev.incumbent.benchmarks.fenced;

import java.util.List;

/**
 * The same writes without the fence and behind it.
 *
 * @param what is written to, and how, for people
 * @param budget the least that fenced may be of unfenced; 0 where none is set
 */
record Contest(String what, double budget, List<Writer> unfenced, List<Writer> fenced) {}
