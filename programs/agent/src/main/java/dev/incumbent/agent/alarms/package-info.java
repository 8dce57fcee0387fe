/** Conflicts as alarms: which are open and since when, and who is told. Imports neither the elections nor the HTTP. */
package dev.incumbent.agent.alarms;
