package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;

/** Another process: which one, and where it listens for connections ({@code host:port}). */
public record Peer(CandidateId id, String address) {}
