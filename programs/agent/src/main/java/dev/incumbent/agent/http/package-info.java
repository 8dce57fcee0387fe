/** The agent's HTTP on Jetty: sockets, rights, routes and JSON. Decides nothing about elections. */
package dev.incumbent.agent.http;
