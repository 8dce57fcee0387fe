package dev.incumbent.internal;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Setup;
import java.util.Map;

/** What one candidacy stands with: its setup, the sinks it guards, and what would run in its terms. */
record CampaignPlan(Setup setup, Map<SinkId, Sink> sinks, TermRun.Each runs) {}
