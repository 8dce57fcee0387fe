package dev.incumbent.coordinator.peers;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;

/** A member as a process of its own: says on its output when it leads and when its guard says no. Arguments: the URI and the election. Ends with its input. */
final class MemberProgram {
    private static final long POLL_NANOS = 20_000_000;

    private MemberProgram() {}

    public static void main(String[] arguments) {
        PeerElections peers = PeerElections.connect(arguments[0]).open();
        Candidacy candidacy = peers.election(arguments[1]).campaign(MemberProgram::lead);
        say("stands");
        Scanner input = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
        while (input.hasNextLine()) {
            input.nextLine();
        }
        candidacy.close();
    }

    private static void lead(Leadership leadership) {
        say("leads " + leadership.term().number());
        while (leadership.holds()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        say("no more " + leadership.term().number());
    }

    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
