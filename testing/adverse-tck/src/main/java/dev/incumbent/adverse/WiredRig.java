package dev.incumbent.adverse;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** A rig whose clients are on {@link Wires}, which can be cut in every way. Its server comes to no harm unless it says so. */
public interface WiredRig extends AdverseRig {
    Wires wires();

    @Override
    default Timeline timeline() {
        return wires().timeline();
    }

    @Override
    default void passTime(Duration length) {
        wires().passTime(length);
    }

    @Override
    default Set<Cut> cuts() {
        return EnumSet.allOf(Cut.class);
    }

    @Override
    default void cut(Coordinator client, Cut how) {
        wires().of(client).forEach(wire -> wire.cut(TcpProxy.Fault.valueOf(how.name())));
    }

    @Override
    default void heal(Coordinator client) {
        wires().of(client).forEach(TcpProxy::heal);
    }

    /** Also a rig whose store lives in this process may use these wires, without any. */
    @Override
    default boolean isWired() {
        return !cuts().isEmpty();
    }

    @Override
    default void hold(Coordinator client) {
        wires().of(client).forEach(TcpProxy::hold);
    }

    @Override
    default void letGo(Coordinator client) {
        wires().of(client).forEach(TcpProxy::letGo);
    }

    @Override
    default void slowAnswers(Coordinator client, Duration by) {
        wires().of(client).forEach(wire -> wire.slowAnswers(by));
    }

    @Override
    default long requests(Coordinator client) {
        return wires().of(client).stream().mapToLong(TcpProxy::requests).sum();
    }

    @Override
    default int connections(Coordinator client) {
        return wires().of(client).stream().mapToInt(TcpProxy::connections).sum();
    }

    @Override
    default void reset(Coordinator client) {
        wires().of(client).forEach(TcpProxy::reset);
    }

    @Override
    default void loseNextAnswer(Coordinator client) {
        wires().of(client).forEach(TcpProxy::loseNextAnswer);
    }

    @Override
    default void slow(Coordinator client, Duration by) {
        wires().of(client).forEach(wire -> wire.slow(by));
    }

    @Override
    default Set<ServerFault> serverFaults() {
        return Set.of();
    }

    @Override
    default void befall(ServerFault fault) {
        throw new UnsupportedOperationException("this rig's server comes to no harm");
    }

    @Override
    default void recover(ServerFault fault) {
        throw new UnsupportedOperationException("this rig's server comes to no harm");
    }
}
