/** Programs that an operator gives, run with a bound on their time. */
package dev.incumbent.telling.command;
