package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How listeners are called: in order, each of them, and no more than there is room for. */
class TellingTest {
    private static final long LONG_SECONDS = 60;

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final Telling telling = new Telling(List.of(noting("a"), noting("b")));

    private HealthListener noting(String name) {
        return new HealthListener() {
            @Override
            public void onSick(String why) {
                heard.add(name + " " + why);
            }

            @Override
            public void onWell() {
                Thread thread = Thread.currentThread();
                heard.add(thread.getName() + (thread.isDaemon() ? ", a daemon" : ""));
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    heard.add("interrupted");
                }
            }
        };
    }

    @AfterEach
    void close() {
        mayGoOn.countDown();
        telling.close();
    }

    private void block() throws InterruptedException {
        telling.tell(HealthListener::onWell);
        assertThat(next()).isEqualTo("incumbent-health-told, a daemon");
    }

    @Test
    void eachListenerIsToldInOrder() throws InterruptedException {
        telling.tell(listener -> listener.onSick("one"));
        telling.tell(listener -> listener.onSick("two"));

        assertThat(next(4)).containsExactly("a one", "b one", "a two", "b two");
    }

    /** One call is under way, a thousand wait, and the oldest of these give way: the second call of the block, and the first change. */
    @Test
    void aListenerThatBlocksIsOwedAThousandCallsTheLastOnes() throws InterruptedException {
        block();
        for (int i = 0; i <= 500; i++) {
            int number = i;
            telling.tell(listener -> listener.onSick(String.valueOf(number)));
        }
        mayGoOn.countDown();

        List<String> told = next(1_000);
        assertThat(told.get(0)).isEqualTo("a 1");
        assertThat(told.get(999)).isEqualTo("b 500");
        assertThat(heard).isEmpty();
    }

    @Test
    void whatWasToBeToldBeforeTheEndIsTold() throws InterruptedException {
        block();
        telling.tell(listener -> listener.onSick("last"));
        telling.close();
        telling.tell(listener -> listener.onSick("too late"));
        mayGoOn.countDown();

        assertThat(next(3)).containsExactly("incumbent-health-told, a daemon", "a last", "b last");
        assertThat(heard).isEmpty();
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(LONG_SECONDS, TimeUnit.SECONDS));
    }

    private List<String> next(int calls) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            all.add(next());
        }
        return all;
    }
}
