package dev.incumbent.internal;

import dev.incumbent.Stonith;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Setup;
import java.util.Map;
import java.util.Optional;

/** What one candidacy stands with: its setup, the sinks it guards, how it has others turned off, and what would run in its terms. */
record CampaignPlan(Setup setup, Map<SinkId, Sink> sinks, Optional<Stonith> stonith, TermRun.Each runs) {}
