/** The agent of one host: elections over HTTP for programs in any language. Its parts: the owners' rules, the elections, the HTTP. */
package dev.incumbent.agent;
