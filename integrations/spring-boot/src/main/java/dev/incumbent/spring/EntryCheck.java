package dev.incumbent.spring;

/** What must be so before a thread enters a term. */
interface EntryCheck {
    /** Throws, with a sentence, where the method must not begin. Called on the thread that calls the method, whether this process leads or not. */
    void beforeEntering(String election);
}
