package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import java.util.List;

/** What holds where whoever may still act is turned off before a term begins. Each is a class named as its sentence. */
final class StonithInvariants {
    private StonithInvariants() {}

    /** Whatever the clocks do: nobody's task of an earlier term runs when a term begins. */
    static final class NobodyBeginsBesideAHolder extends Inspector {
        NobodyBeginsBesideAHolder(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            if (!world().profile().isTurnedOff()) {
                return;
            }
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    boolean isOther = player.election().equals(begun.election())
                            && player.process().isAlive()
                            && !player.candidate().id().equals(begun.leader());
                    player.task()
                            .filter(task -> isOther && task.term().number() < begun.term())
                            .ifPresent(task -> violated(begun.leader() + " begins term " + begun.term() + " of "
                                    + begun.election() + " while the task of " + task.term() + " runs"));
                }
            }
        }
    }

    /** Only where clocks keep within their bound: who leads a later term is not turned off for an earlier one. */
    static final class NobodyTurnsOffWhoCameAfter extends Inspector {
        NobodyTurnsOffWhoCameAfter(World world) {
            super(world);
        }

        @Override
        void turnsOff(Node node, ElectionName election, long term) {
            List<Player> there = node.players().stream()
                    .filter(player -> player.election().equals(election) && player.believed() > term)
                    .toList();
            if (world().profile().timely() && !there.isEmpty()) {
                violated("n" + node.index() + " is turned off for term " + term + " of " + election
                        + " while it leads term " + there.get(0).believed());
            }
        }
    }
}
