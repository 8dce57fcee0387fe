/**
 * A small client of etcd's JSON gateway, which never sends anything twice, knows of every call whether it was sent, and leaves no thread when closed.
 *
 * <p>{@code EtcdClient} has a {@code Lane} for each kind of call: one thread with one connection ({@code HttpWire}), on which transactions that wait are sent as
 * one. {@code EtcdStream} is a watch. Imports {@code dev.incumbent.wire} and the JDK alone.
 */
package dev.incumbent.etcd;
