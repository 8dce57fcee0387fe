/** The elections that the owners of this host stand in: drives the machine of the owners over the library. Imports no HTTP. */
package dev.incumbent.agent.elections;
