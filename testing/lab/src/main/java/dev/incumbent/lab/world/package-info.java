/** The world that all contenders of the lab share: members with clocks, a network, a sink, faults, and what is measured. Imports the simulation's agenda, clocks and draws, and {@code core}. */
package dev.incumbent.lab.world;
