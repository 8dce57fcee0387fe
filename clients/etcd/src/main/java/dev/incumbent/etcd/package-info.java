/**
 * A small client of etcd's JSON gateway, which never sends anything twice, knows of every call whether it was sent, and leaves no thread when closed.
 *
 * <p>{@code EtcdClient} has a lane for each kind of {@code EtcdCall}: one thread with one {@code Gateway}, which serves calls over a connection ({@code HttpWire}),
 * and sends transactions that wait as one. {@code EtcdStream} is a watch. Imports {@code dev.incumbent.calls}, {@code dev.incumbent.wire} and the JDK alone.
 */
package dev.incumbent.etcd;
