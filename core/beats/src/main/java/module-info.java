/** Floor 1: how processes hear each other, and when a leader that is not heard any more is suspected. Pure: no clock, thread or socket. */
module dev.incumbent.beats {
    requires transitive dev.incumbent.protocol;

    exports dev.incumbent.beats;
}
