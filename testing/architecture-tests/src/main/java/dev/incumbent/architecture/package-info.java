/** The rules of the house as failing tests, and for each a planted violation that it must report. Imports no module: it reads their folders. */
package dev.incumbent.architecture;
