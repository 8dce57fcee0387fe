package dev.incumbent.acceptance;

import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** The disasters of docs/operating/disasters.md, each walked through as the page says. */
enum Walk {
    ONE_LOST {
        @Override
        void on(Scene scene) throws InterruptedException {
            Fleet fleet = scene.fleet();
            int lost = fleet.leader();
            fleet.lose(lost);
            scene.claim(
                    "somebody leads within " + Scene.LONGEST_VACANCY.toSeconds()
                            + " s of the loss of the members' leader",
                    scene.isLedWithin(Scene.LONGEST_VACANCY),
                    "nobody does");
            scene.claimProgress("without it");
            fleet.refusalOfAnEmptyDisk(lost)
                    .ifPresent(why -> scene.claim(
                            "an empty disk in its place is refused", why.contains("--rejoin lets it come back"), why));
            fleet.replace(lost);
            scene.claimProgress("once it is replaced");
            int leader = fleet.leader();
            int next = IntStream.range(0, Fleet.SIZE)
                    .filter(member -> member != lost && member != leader)
                    .findFirst()
                    .orElseThrow();
            fleet.freeze(next);
            scene.claim(
                    "the replaced member counts: without another one terms pass",
                    scene.goesOn(2, SUCCESSION),
                    "nobody does");
            fleet.thaw(next);
        }
    },
    MAJORITY_LOST {
        @Override
        void on(Scene scene) throws Exception {
            try (TemporaryFolder folder = TemporaryFolder.create("snapshot")) {
                Path file = folder.resolve("backup");
                Verb.run(
                        0,
                        "freeze",
                        scene.election() + "/frozen",
                        "--why",
                        "two ledgers",
                        "--at",
                        scene.fleet().uri());
                long before = scene.acknowledged();
                scene.fleet().save(file);
                long after = scene.acknowledged();
                scene.claimProgress("after the snapshot");
                lose(scene);
                restore(scene, file, before, after);
            }
        }

        private void lose(Scene scene) throws InterruptedException {
            int leader = scene.fleet().leader();
            scene.fleet().lose(leader);
            scene.fleet().lose((leader + 1) % Fleet.SIZE);
            scene.claim(
                    "without a majority nobody leads any more once the lease is over",
                    scene.isVacantWithin(Scene.LEASE.plusSeconds(2)),
                    "somebody does");
        }

        private void restore(Scene scene, Path file, long before, long after) throws InterruptedException {
            Fleet fleet = scene.fleet();
            long acknowledged = scene.acknowledged();
            long term = scene.witness().lastBegun();
            scene.endWriter();
            fleet.restore(file);
            long found = scene.recorded() - fleet.lift();
            scene.tell("restored: " + (acknowledged - found) + " of " + acknowledged
                    + " changes came after the snapshot and are lost; the last term before was " + term);
            scene.claim(
                    "all that was acknowledged before the snapshot is there, and nothing that came after it",
                    found >= before && found <= after + 1,
                    found + " is there; " + before + " was acknowledged before, " + after + " afterwards");
            scene.begin(scene.recorded());
            scene.claimProgress("in the restored one");
            scene.claim(
                    "its terms are above all before",
                    scene.witness().lastBegun() > Math.max(term, fleet.lift()),
                    "the last is " + scene.witness().lastBegun() + ", before it was " + term);
            String frozen = Verb.run(0, "status", scene.election() + "/frozen", "--at", fleet.uri(), "-o", "json");
            scene.claim("what was frozen is frozen", frozen.contains("two ledgers"), frozen);
        }
    },
    DISK_FULL {
        @Override
        void on(Scene scene) throws InterruptedException {
            String felt = scene.fleet().fill();
            scene.claim(
                    "a full disk is told",
                    felt.contains("No space left on device") || felt.contains("database space exceeded"),
                    felt);
            if (scene.fleet().servesWhenFull()) {
                scene.claimProgress("meanwhile");
            } else {
                int terms = scene.witness().terms();
                SystemTimeline.sleep(Scene.LEASE);
                scene.claim(
                        "nobody new leads meanwhile",
                        scene.witness().terms() <= terms + 1,
                        terms + " terms before, " + scene.witness().terms() + " now");
            }
            scene.fleet().makeRoom();
            scene.claimProgress("once there is room");
        }
    },
    STARVED {
        @Override
        void on(Scene scene) throws InterruptedException {
            int leader = scene.fleet().leader();
            starve(scene, leader, "the host of the members' leader");
            starve(scene, (scene.fleet().leader() + 1) % Fleet.SIZE, "the host of another member");
            scene.claimProgress("afterwards");
            scene.claim(
                    "every member is back",
                    new Patience(scene.time()).await(SUCCESSION, scene.fleet()::isWhole),
                    "not all");
        }

        /** As long as it takes until terms have passed. */
        private void starve(Scene scene, int member, String which) throws InterruptedException {
            AtomicBoolean over = new AtomicBoolean();
            Thread starving = new Thread(() -> pulse(scene, member, over), "starving");
            starving.start();
            scene.claimProgress("while " + which + " gets a tenth of the time");
            over.set(true);
            starving.join();
        }

        private void pulse(Scene scene, int member, AtomicBoolean over) {
            try {
                while (!over.get()) {
                    scene.fleet().freeze(member);
                    SystemTimeline.sleep(FROZEN);
                    scene.fleet().thaw(member);
                    SystemTimeline.sleep(AWAKE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    };

    private static final Duration SUCCESSION = Duration.ofMinutes(1);
    private static final Duration FROZEN = Duration.ofMillis(900);
    private static final Duration AWAKE = Duration.ofMillis(100);

    /** Lets it befall a scene in which terms pass, and repairs it. */
    abstract void on(Scene scene) throws Exception;

    /** As it is named on a command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Walk> named(String word) {
        for (Walk walk : values()) {
            if (walk.word().equals(word)) {
                return Optional.of(walk);
            }
        }
        return Optional.empty();
    }
}
