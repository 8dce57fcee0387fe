/** A page that plays runs of the lab and of simulated worlds in a browser. Imports the frame, and what tells JSON. */
package dev.incumbent.cli.story;
