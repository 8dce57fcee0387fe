package dev.incumbent.health;

/** A check that answers what the test says, on a thread that the test plays. */
final class SaidCheck implements HealthCheck {
    final HeldThread thread = new HeldThread();
    String ill = "";
    /** How often it was asked. */
    int asked;

    private final String name;

    SaidCheck(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Answer ask(long nanos) {
        asked++;
        return ill.isEmpty() ? Answer.well("is fine") : Answer.sick(ill);
    }
}
