package dev.incumbent.peers;

import dev.incumbent.peers.raft.LedTerm;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.peers.raft.RaftEffect;
import dev.incumbent.peers.raft.RaftEvent;
import dev.incumbent.peers.raft.RaftMessage;
import dev.incumbent.peers.raft.RaftProtocol;
import dev.incumbent.peers.raft.RaftRole;
import dev.incumbent.peers.raft.RaftState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A Raft election on a stage; its members' disks outlive their crashes. */
final class PlayedRaft implements PlayedProtocol<RaftState, RaftEvent, RaftEffect> {
    private final Map<MemberId, RaftDisk> disks = new TreeMap<>();

    @Override
    public RaftState start() {
        return RaftState.START;
    }

    @Override
    public Step<RaftState, RaftEffect> step(PeerGroup group, RaftState state, RaftEvent event, Moment now, long dice) {
        return new RaftProtocol(group, Stages.RAFT_TIMING).step(state, event, now, dice);
    }

    @Override
    public RaftEvent received(MemberId from, Object message) {
        return new RaftEvent.Received(from, (RaftMessage) message);
    }

    @Override
    public RaftEvent event(MemberId who, String[] words) {
        return switch (words[0]) {
            case "starts" -> new RaftEvent.Started(Optional.ofNullable(disks.get(who)));
            case "founds" -> new RaftEvent.Founded(words[1]);
            case "wakes" -> new RaftEvent.Woken();
            case "transfers" -> new RaftEvent.TransferAsked(new MemberId(words[1]));
            case "stopped" -> new RaftEvent.TaskStopped(Long.parseLong(words[1]));
            case "refused" -> new RaftEvent.MarkRefused(Long.parseLong(words[1]), Long.parseLong(words[3]));
            default -> throw new IllegalArgumentException("unknown: " + words[0]);
        };
    }

    @Override
    public Optional<Letter> letter(MemberId from, RaftEffect effect) {
        return effect instanceof RaftEffect.Send send
                ? Optional.of(new Letter(from, send.to(), send.message()))
                : Optional.empty();
    }

    @Override
    public void performed(MemberId who, RaftEffect effect) {
        if (effect instanceof RaftEffect.Persist persist) {
            disks.put(who, persist.disk());
        }
    }

    @Override
    public boolean isByHand(MemberId who, String[] words) {
        return words[0].equals("loses") && disks.remove(who) != null;
    }

    @Override
    public List<RaftEvent> beginnings() {
        return List.of(new RaftEvent.Started(Optional.empty()), new RaftEvent.Founded("g"));
    }

    @Override
    public String line(RaftState state) {
        StringBuilder line = new StringBuilder(state.role().toString());
        state.disk().ifPresent(disk -> line.append(" in ").append(disk.term()));
        if (state.role() == RaftRole.FOLLOWER) {
            state.promise().leader().ifPresent(leader -> line.append(" of ").append(leader));
        }
        state.disk()
                .flatMap(RaftDisk::vote)
                .ifPresent(vote -> line.append(", voted ").append(vote));
        state.led()
                .filter(led -> led.task() != LedTerm.Task.WAITS)
                .ifPresent(led -> line.append(", task of ")
                        .append(led.term())
                        .append(' ')
                        .append(led.task())
                        .append(" to ")
                        .append(PeerLine.millis(led.leaseEndsAtNanos())));
        return line.toString();
    }
}
