import { imageChecks } from "../../capture/images/checks.ts";
import { observationChecks } from "../../capture/observations/checks.ts";
import { sessionChecks } from "../../capture/sessions/checks.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { actionChecks } from "../../coordination/actions/checks.ts";
import { leaseChecks } from "../../coordination/leases/checks.ts";
import { sentinelChecks } from "../../coordination/sentinels/checks.ts";
import { signalChecks } from "../../coordination/signals/checks.ts";
import { sketchChecks } from "../../coordination/sketches/checks.ts";
import type { Embeddings } from "../../embedding/embeddings.ts";
import { graphChecks } from "../../graph/checks.ts";
import type { Ground } from "../../ground.ts";
import { crystalChecks } from "../../knowledge/crystals/checks.ts";
import { factChecks } from "../../knowledge/facts/checks.ts";
import { insightChecks } from "../../knowledge/insights/checks.ts";
import { lessonChecks } from "../../knowledge/lessons/checks.ts";
import { memoryChecks } from "../../knowledge/memories/checks.ts";
import { procedureChecks } from "../../knowledge/procedures/checks.ts";
import { summaryChecks } from "../../knowledge/summaries/checks.ts";
import { meshChecks } from "../../sharing/mesh/checks.ts";
import type { Check } from "./check.ts";
import { databaseChecks } from "./database-checks.ts";
import { indexChecks } from "./index-checks.ts";
import { jobChecks } from "./job-checks.ts";

interface Services {
  readonly sessions: Sessions;
  readonly embeddings: Embeddings;
}

/** Every check. A family that stores records adds its checks here. */
export function allChecks(ground: Ground, { sessions, embeddings }: Services): readonly Check[] {
  return [
    ...sessionChecks(ground),
    ...memoryChecks(ground),
    ...lessonChecks,
    ...insightChecks,
    ...factChecks,
    ...procedureChecks,
    ...summaryChecks,
    ...observationChecks(sessions),
    ...sentinelChecks(ground),
    ...signalChecks(ground),
    ...imageChecks(ground),
    ...graphChecks,
    ...actionChecks(ground),
    ...leaseChecks(ground),
    ...sketchChecks(ground),
    ...crystalChecks,
    ...meshChecks,
    ...indexChecks(ground, embeddings),
    ...jobChecks(ground),
    ...databaseChecks(ground),
  ];
}
