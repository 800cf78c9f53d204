import type { Graph } from "../../graph/graph.ts";
import type { Ground } from "../../ground.ts";
import type { Consolidations } from "../../knowledge/consolidation/consolidations.ts";
import type { Profiles } from "../../knowledge/profiles/profiles.ts";
import type { Reflected, ReflectInput } from "../../knowledge/slots/reflect-on-session.ts";
import type { Summaries } from "../../knowledge/summaries/summaries.ts";

export const stopReasons = ["end", "abandon", "import"] as const;
export type StopReason = (typeof stopReasons)[number];

/** A session that has come to a stop, as the steps are told of it. */
export interface StoppedSession {
  readonly sessionId: string;
  /** A name that leads to the session's own project. */
  readonly project: string;
  readonly agentId: string | null;
  /** Null when it was taken up again before its stop work began. */
  readonly endedAt: number | null;
  readonly reason: StopReason;
}

/** One thing that is done after a session's end. Its effect must bear being done twice. */
export interface StopStep {
  /** Names the step in the job that tries it again. */
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

/** What is done after a session's end, in this order. */
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
