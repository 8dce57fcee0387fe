/** The verb {@code lab}. Imports the lab and the frame. */
package dev.incumbent.cli.lab;
