/** The connections by which processes hear each other, over TCP. {@link dev.incumbent.beats.netty.NettyBeats} is where to begin. */
package dev.incumbent.beats.netty;
