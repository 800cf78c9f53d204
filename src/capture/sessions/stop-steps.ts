import type { Graph } from "../../graph/graph.ts";
import type { Ground } from "../../ground.ts";
import type { Consolidations } from "../../knowledge/consolidation/consolidations.ts";
import type { Profiles } from "../../knowledge/profiles/profiles.ts";
import type { Reflected, ReflectInput } from "../../knowledge/slots/reflect-on-session.ts";
import type { Summaries } from "../../knowledge/summaries/summaries.ts";

export const stopReasons = ["end", "abandon", "import"] as const;
export type StopReason = (typeof stopReasons)[number];

/** A session that has ended, as given to the steps. */
export interface StoppedSession {
  readonly sessionId: string;
  /** A name that leads to the session's own project. */
  readonly project: string;
  readonly agentId: string | null;
  /** Null when the session was resumed before this work began. */
  readonly endedAt: number | null;
  readonly reason: StopReason;
}

/** A step of the work after a session's end. Running it twice must do no harm. */
export interface StopStep {
  /** The name under which the job remembers a failed step. */
  readonly name: string;
  readonly isWanted: (ground: Ground) => boolean;
  readonly run: (session: StoppedSession) => Promise<unknown>;
}

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
