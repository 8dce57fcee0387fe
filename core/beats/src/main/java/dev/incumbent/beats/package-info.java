/** The machine that hears leaders and suspects them, and what it says to other processes. Imports {@code dev.incumbent.model} and {@code Moment} and {@code Step} alone. */
package dev.incumbent.beats;
