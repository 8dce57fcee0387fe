package dev.incumbent.beats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuspectingTest {
    private static final Rhythm ALONE = new Rhythm(Duration.ofMillis(50), 3, true);

    @Test
    void aKilledLeaderIsSuspectedAtOnceByEachWithoutAVote() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();
        mesh.sent.clear();

        mesh.kill("l");
        mesh.run(10);

        assertThat(mesh.told)
                .containsExactly(
                        "1002 a suspects l {billing=1} GONE",
                        "1002 b suspects l {billing=1} GONE",
                        "1002 c suspects l {billing=1} GONE");
        assertThat(mesh.sent).noneMatch(line -> line.contains("Question"));
    }

    @Test
    void aKilledLeaderIsSuspectedByItsOnlyListener() {
        Mesh mesh = Mesh.following("l", "a");

        mesh.kill("l");
        mesh.run(10);

        assertThat(mesh.told).endsWith("1002 a suspects l {billing=1} GONE");
    }

    @Test
    void aFrozenLeaderIsSuspectedOnceAMajorityHasMissedThreeBeats() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();

        mesh.freeze("l");
        mesh.run(100);
        assertThat(mesh.told).isEmpty();

        mesh.run(100);
        assertThat(suspicions(mesh))
                .containsExactlyInAnyOrder("a suspects l SILENT", "b suspects l SILENT", "c suspects l SILENT");
    }

    @Test
    void aHostWithoutPowerIsMissedLikeAFrozenOne() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.unplug("l");
        mesh.run(250);

        assertThat(suspicions(mesh)).containsExactlyInAnyOrder("a suspects l SILENT", "b suspects l SILENT");
    }

    @Test
    void eachTermIsSuspectedOnce() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.freeze("l");
        mesh.run(20_000);

        assertThat(mesh.told).hasSize(2);
    }

    @Test
    void whoeverSaysGoodbyeIsNotMissed() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.close("l");
        mesh.run(5000);

        assertThat(mesh.told).isEmpty();
    }

    @Test
    void aConnectionThatBreaksWhileTheLeaderLivesIsMadeAnew() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.resetBetween("a", "l");
        mesh.run(5000);

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void whoeverAloneDoesNotHearTheLeaderSuspectsNobody() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();

        mesh.cut("l", "a");
        mesh.run(4000);

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void halfOfTheListenersAreNoMajority() {
        Mesh mesh = Mesh.following("l", "a", "b", "c", "d");
        mesh.told.clear();

        for (String far : List.of("c", "d")) {
            for (String near : List.of("l", "a", "b")) {
                mesh.cutBoth(far, near);
            }
        }
        mesh.run(4000);

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void theOthersAreAskedAtEachBeatAndNoMore() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.cut("l", "a");
        mesh.run(200);
        mesh.sent.clear();

        mesh.run(1000);

        assertThat(mesh.sent).filteredOn(line -> line.contains("a>b Question")).hasSize(20);
        assertThat(mesh.sent).filteredOn(line -> line.contains("Question")).hasSize(40);
    }

    @Test
    void whoeverIsSuspectedIsAskedAboutNoMore() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.freeze("l");
        mesh.run(300);
        mesh.sent.clear();

        mesh.run(1000);

        assertThat(mesh.sent).noneMatch(line -> line.contains("Question"));
    }

    @Test
    void aMajorityIsOneOfTheLeadersListAndNotOfThoseStillConnected() {
        Mesh mesh = Mesh.following("l", "a", "b", "c", "d", "e");
        mesh.told.clear();

        for (String far : List.of("d", "e")) {
            for (String near : List.of("l", "a", "b", "c")) {
                mesh.cutBoth(far, near);
                mesh.resetBetween(far, near);
            }
        }
        mesh.run(20_000);

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void aMajorityThatIsCutOffTogetherSuspects() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();

        for (String far : List.of("b", "c")) {
            mesh.cutBoth(far, "l");
            mesh.cutBoth(far, "a");
        }
        mesh.run(400);

        assertThat(suspicions(mesh)).containsExactlyInAnyOrder("b suspects l SILENT", "c suspects l SILENT");
    }

    @Test
    void theOnlyListenerSuspectsASilentLeaderOnlyWhereThatIsAllowed() {
        Mesh careful = Mesh.following("l", "a");
        Mesh alone = Mesh.following(ALONE, "l", "a");

        careful.freeze("l");
        careful.run(3000);
        alone.freeze("l");
        alone.run(250);

        assertThat(suspicions(careful)).isEmpty();
        assertThat(suspicions(alone)).containsExactly("a suspects l SILENT");
    }

    @Test
    void whoeverWasPausedItselfSuspectsNobody() {
        Mesh mesh = Mesh.following(ALONE, "l", "a");

        mesh.freeze("a");
        mesh.run(1000);
        mesh.thaw("a");
        mesh.run(1000);

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void whoeverWasPausedItselfCountsASilenceAnew() {
        Mesh mesh = Mesh.following(ALONE, "l", "a");

        mesh.freeze("a");
        mesh.run(100);
        mesh.freeze("l");
        mesh.run(900);
        mesh.thaw("a");
        mesh.run(140);
        assertThat(suspicions(mesh)).isEmpty();

        mesh.run(60);
        assertThat(suspicions(mesh)).containsExactly("a suspects l SILENT");
    }

    @Test
    void aPausedListenerConfirmsNothing() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.freeze("b");
        mesh.run(100);
        mesh.freeze("l");
        mesh.run(500);
        assertThat(suspicions(mesh)).isEmpty();

        mesh.thaw("b");
        mesh.run(140);
        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void aReplayedBeatKeepsNobodyAlive() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();
        Link last = mesh.link("a", "l");

        mesh.freeze("l");
        for (int i = 0; i < 10; i++) {
            mesh.run(25);
            mesh.inject(
                    "a",
                    "l",
                    new Message.Beat(last.heard().sequence(), last.told().generation()));
            mesh.inject("b", "l", new Message.Beat(1, last.told().generation()));
        }

        assertThat(suspicions(mesh)).containsExactlyInAnyOrder("a suspects l SILENT", "b suspects l SILENT");
    }

    @Test
    void whoeverHasLostMostOfItsConnectionsSuspectsNobodyWhateverItsNetworkSays() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();

        mesh.cutBoth("a", "b");
        mesh.cutBoth("a", "c");
        mesh.run(300);
        mesh.kill("l");
        mesh.run(100);

        assertThat(suspicions(mesh)).containsExactlyInAnyOrder("b suspects l GONE", "c suspects l GONE");
    }

    @Test
    void whoeverHasLostMostOfItsConnectionsConfirmsNothing() {
        Mesh mesh = Mesh.following("l", "a", "b", "c", "d");
        mesh.told.clear();
        for (String one : List.of("a", "b")) {
            mesh.cutBoth(one, "l");
            for (String other : List.of("c", "d")) {
                mesh.cutBoth(one, other);
            }
        }
        mesh.run(300);
        assertThat(mesh.sent).noneMatch(line -> line.contains("Question"));
        mesh.sent.clear();

        mesh.inject("b", "a", new Message.Question(1, new CandidateId("l"), 1));
        mesh.run(10);

        assertThat(mesh.sent).noneMatch(line -> line.contains("Vote"));
        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void aVoteCountsForAsLongAsASilenceTakesAfterItsQuestion() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();
        mesh.cut("l", "a");
        mesh.run(200);
        long asked = mesh.doubt("a", "l").askedAtNanos();
        mesh.run(151);

        mesh.inject("a", "b", new Message.Vote(asked, new CandidateId("l")));
        mesh.inject("a", "b", new Message.Vote(Long.MAX_VALUE, new CandidateId("l")));
        assertThat(suspicions(mesh)).isEmpty();

        mesh.inject("a", "b", new Message.Vote(mesh.doubt("a", "l").askedAtNanos(), new CandidateId("l")));
        assertThat(suspicions(mesh)).containsExactly("a suspects l SILENT");
    }

    @Test
    void votesThatDoNotCountTogetherAreNoMajority() {
        Mesh mesh = Mesh.following("l", "a", "b", "c", "d", "e");
        mesh.told.clear();
        mesh.cut("l", "a");
        mesh.run(200);

        mesh.inject("a", "b", new Message.Vote(mesh.doubt("a", "l").askedAtNanos(), new CandidateId("l")));
        mesh.run(250);
        mesh.inject("a", "c", new Message.Vote(mesh.doubt("a", "l").askedAtNanos(), new CandidateId("l")));
        mesh.run(250);

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void aVoteOfSomebodyWhoIsNotOnTheListCountsNothing() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();
        mesh.step("a", new BeatEvent.Connected(99, Mesh.peer("x"), false));
        mesh.cut("l", "a");
        mesh.run(200);

        mesh.step(
                "a",
                new BeatEvent.Received(
                        99, new Message.Vote(mesh.doubt("a", "l").askedAtNanos(), new CandidateId("l"))));

        assertThat(suspicions(mesh)).isEmpty();
    }

    @Test
    void whoeverHasNotHeardTheTermDoesNotConfirmItsSilence() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.cut("l", "b");
        mesh.run(300);
        mesh.sent.clear();
        long known = mesh.link("b", "l").told().generation();

        mesh.inject("b", "a", new Message.Question(1, new CandidateId("l"), known + 1));
        assertThat(mesh.sent).noneMatch(line -> line.contains("Vote"));

        mesh.inject("b", "a", new Message.Question(2, new CandidateId("l"), known));
        assertThat(mesh.sent).anyMatch(line -> line.contains("b>a Vote[askedAtNanos=2"));
    }

    @Test
    void aMistakeIsToldAndDoublesThePatienceUntilItIsForgiven() {
        Mesh mesh = Mesh.following(ALONE, "l", "a");
        mesh.told.clear();

        mesh.freeze("l");
        mesh.run(400);
        mesh.thaw("l");
        mesh.run(100);
        assertThat(mesh.told).last().asString().contains("a was mistaken of l, patience 2");
        assertThat(mesh.told).anyMatch(line -> line.endsWith("a hears l {billing=1}"));

        mesh.told.clear();
        mesh.freeze("l");
        mesh.run(280);
        assertThat(mesh.told).isEmpty();
        mesh.run(400);
        assertThat(suspicions(mesh)).containsExactly("a suspects l SILENT");

        mesh.thaw("l");
        mesh.run(1);
        assertThat(mesh.state("a").ear().patience()).isEqualTo(4);
        mesh.run(599_000);
        assertThat(mesh.state("a").ear().patience()).isEqualTo(4);
        mesh.run(1_100);
        assertThat(mesh.state("a").ear().patience()).isEqualTo(2);
        mesh.run(599_000);
        assertThat(mesh.state("a").ear().patience()).isEqualTo(2);
        mesh.run(1_100);
        assertThat(mesh.state("a").ear().patience()).isEqualTo(1);
    }

    @Test
    void whoeverWakesLongAfterItWasSuspectedRightlyIsNoMistake() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.freeze("l");
        mesh.run(3000);
        mesh.thaw("l");
        mesh.run(500);

        assertThat(mesh.told).noneMatch(line -> line.contains("mistaken"));
        assertThat(mesh.told).filteredOn(line -> line.contains("hears l")).hasSize(2);
    }

    @Test
    void beatsThatVaryWidenTheSilence() {
        Mesh steady = Mesh.following("l", "a");
        Mesh varying = Mesh.following("l", "a");
        for (int i = 0; i < 60; i++) {
            varying.cut("l", "a");
            varying.run(80);
            varying.heal("l", "a");
            varying.run(70);
        }

        assertThat(silence(varying)).isGreaterThan(silence(steady) + 40 * Mesh.MILLI);
        assertThat(silence(steady)).isBetween(150 * Mesh.MILLI, 170 * Mesh.MILLI);
    }

    @Test
    void aConnectionOnWhichNothingIsHeardIsGivenUpAndTheListenersLearnOfIt() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");

        mesh.unplug("c");
        mesh.run(6000);

        assertThat(mesh.state("l").own().listeners().keySet())
                .extracting(Object::toString)
                .containsExactly("a", "b");
        assertThat(mesh.link("a", "l").told().listeners().keySet())
                .extracting(Object::toString)
                .containsExactly("a", "b");
    }

    private static long silence(Mesh mesh) {
        Link link = mesh.link("a", "l");
        return Rhythm.DEFAULT.silentAfterNanos(link.heard().deviationNanos(), 1);
    }

    /** Without their times and terms. */
    private static List<String> suspicions(Mesh mesh) {
        return mesh.told.stream()
                .filter(line -> line.contains("suspects"))
                .map(line -> line.replaceFirst("\\d+ ", "").replaceFirst(" \\{.*}", ""))
                .toList();
    }
}
