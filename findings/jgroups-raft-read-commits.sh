#!/bin/bash
# jgroups-raft: a read at a leader without a majority commits the write that waits for one. The write returns, and is lost when another member leads.
#
# jgroups-raft 1.1.4.Final with JGroups 5.4.11.Final, the stack of its raft.xml on TCP, with shorter times. Reads are not dirty, which is the default. The leader is cut off, and does not know it
# yet (40 s by default, here 10 s). Its write waits for a majority, as it should. But a read moves the commit index to the end of the log and applies all that stands there.
# So the read shows the waiting write, and the write returns as if a majority had it. The others elect a leader that never had it. When the
# network is whole again, the member takes no entry of that leader, because another one is committed at the same place, and tells so in its log only. Its state stays wrong.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.jgroups</groupId><artifactId>jgroups-raft</artifactId><version>1.1.4.Final</version></dependency>
  </dependencies>
</project>
POM
cat > stack.xml << 'STACK'
<config xmlns="urn:org:jgroups">
  <TCP bind_addr="127.0.0.1" bind_port="20741" port_range="2"/>
  <TCPPING initial_hosts="127.0.0.1[20741],127.0.0.1[20742],127.0.0.1[20743]" port_range="0"/>
  <MERGE3 max_interval="10000" min_interval="5000"/>
  <FD_SOCK/>
  <FD_ALL3 timeout="10000" interval="2000"/>
  <VERIFY_SUSPECT timeout="1500"/>
  <pbcast.NAKACK2 use_mcast_xmit="false"/>
  <UNICAST3/>
  <pbcast.STABLE/>
  <raft.NO_DUPES/>
  <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
  <UFC/>
  <MFC/>
  <FRAG4/>
  <raft.ELECTION/>
  <raft.RAFT members="A,B,C" log_dir="logs"/>
  <raft.REDIRECT/>
</config>
STACK
cat > Seen.java << 'JAVA'
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jgroups.JChannel;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.blocks.ReplicatedStateMachine;
import org.jgroups.stack.ProtocolStack;

class Seen {
    record Member(JChannel channel, DISCARD cut, ReplicatedStateMachine<String, String> map) {
        static Member join(String name) throws Exception {
            JChannel channel = new JChannel("stack.xml").name(name);
            DISCARD cut = new DISCARD();
            channel.getProtocolStack().insertProtocol(cut, ProtocolStack.Position.ABOVE, TP.class);
            ReplicatedStateMachine<String, String> map = new ReplicatedStateMachine<String, String>(channel).raftId(name);
            channel.connect("seen");
            return new Member(channel, cut, map);
        }

        boolean leads() {
            RAFT raft = channel.getProtocolStack().findProtocol(RAFT.class);
            return raft.isLeader();
        }

        CompletableFuture<String> put(String value) {
            return CompletableFuture.supplyAsync(() -> {
                try {
                    return "returned, and replaced " + map.put("key", value);
                } catch (Exception refused) {
                    return refused.toString();
                }
            });
        }
    }

    public static void main(String[] args) throws Exception {
        List<Member> members = new ArrayList<>();
        for (String name : List.of("A", "B", "C")) {
            members.add(Member.join(name));
        }
        Member old = leaderOf(members);
        List<Member> rest = members.stream().filter(member -> member != old).toList();
        old.map.put("key", "one");

        old.cut.discardAll(true);
        CompletableFuture<String> put = old.put("two");
        Thread.sleep(3000);
        boolean waited = !put.isDone();
        System.out.println("the leader is cut off for 3 s, and its write of two " + (waited ? "waits" : put.join()));
        String read = old.map.get("key");
        System.out.println("it reads " + read + "; its write of two " + put.join());

        Member next = leaderOf(rest);
        String unknown = next.map.get("key");
        System.out.println("the next leader reads " + unknown);
        next.map.put("key", "three");

        old.cut.discardAll(false);
        while (members.stream().anyMatch(member -> member.channel.getView().size() < 3)) {
            Thread.sleep(100);
        }
        next.map.put("later", "four");
        Thread.sleep(15_000);
        System.out.println("15 s after all are one group again and one more write: the one that was cut off has " + old.map + ", the others " + rest.get(0).map + " and "
                + rest.get(1).map);
        boolean apart = old.map.toString().equals("{key=two}") && rest.stream().allMatch(member -> member.map.toString().equals("{later=four, key=three}"));
        System.exit(waited && read.equals("two") && unknown.equals("one") && apart ? 0 : 1);
    }

    private static Member leaderOf(List<Member> members) throws InterruptedException {
        while (true) {
            for (Member member : members) {
                if (member.leads()) {
                    return member;
                }
            }
            Thread.sleep(20);
        }
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
java -Djgroups.bind_addr=127.0.0.1 -cp "$(cat classpath)" Seen.java 2> errors || { cat errors; exit 1; }
grep -m1 -o 'cannot delete entries.*is higher' errors
echo 'as described'
