/** Real servers on loopback: each one a process of its own, in a folder of its own; and {@link dev.incumbent.servers.TcpProxy}, a wire that misbehaves. */
package dev.incumbent.servers;
