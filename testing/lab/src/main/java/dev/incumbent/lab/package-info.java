/** The lab: which protocols meet which faults, and what was measured. Imports {@code world} and {@code contender}. */
package dev.incumbent.lab;
