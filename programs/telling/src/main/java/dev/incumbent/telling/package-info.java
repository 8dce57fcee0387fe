/** What the command line and the agent tell of elections, so that both tell it alike: JSON, durations, and how an operator's request ended. */
package dev.incumbent.telling;
