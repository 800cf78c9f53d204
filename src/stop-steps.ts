import type { StopStep } from "./capture/sessions/stop-step.ts";
import type { Graph } from "./graph/graph.ts";
import type { Consolidations } from "./knowledge/consolidation/consolidations.ts";
import type { Profiles } from "./knowledge/profiles/profiles.ts";
import type { Reflected, ReflectInput } from "./knowledge/slots/reflect-on-session.ts";
import type { Summaries } from "./knowledge/summaries/summaries.ts";

interface StopServices {
  readonly summaries: Summaries;
  readonly graph: Graph;
  readonly profiles: Profiles;
  readonly consolidations: Pick<Consolidations, "afterStop">;
  reflectIntoSlots(input: ReflectInput): Promise<Reflected>;
}

const observationsReflected = 50;
const always = () => true;

/** The steps after a session's end, in this order. */
export function stopSteps(services: StopServices): readonly StopStep[] {
  return [
    {
      name: "summary",
      isWanted: always,
      run: ({ sessionId }) => services.summaries.summarize({ sessionId, agentId: "*" }, { background: true }),
    },
    {
      name: "graph",
      isWanted: ({ settings, llm }) => settings.graphExtractionEnabled && llm.provider !== "noop",
      run: (session) => services.graph.extractions.extractSession(session),
    },
    {
      name: "profile",
      isWanted: always,
      run: (session) => services.profiles.renew(session),
    },
    {
      name: "slots",
      isWanted: ({ settings }) => settings.slots && settings.reflect,
      run: ({ sessionId }) =>
        services.reflectIntoSlots({ sessionId, agentId: "*", maxObservations: observationsReflected }),
    },
    {
      name: "consolidation",
      isWanted: ({ settings }) => settings.consolidationEnabled,
      run: (session) => services.consolidations.afterStop(session),
    },
  ];
}
