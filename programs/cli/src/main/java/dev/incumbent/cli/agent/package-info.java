/** The verb {@code agent}: its flags, and its life until it is told to end. */
package dev.incumbent.cli.agent;
