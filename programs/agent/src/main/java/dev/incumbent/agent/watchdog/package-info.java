/** When the hardware watchdog of this host is fed, as a machine without clock, thread or device. Imports the steps of the protocol alone. */
package dev.incumbent.agent.watchdog;
