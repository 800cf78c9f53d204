import type { listCommits } from "../../capture/commits/operations.ts";
import type { listProjects } from "../../capture/projects/operations.ts";
import type { importTranscripts } from "../../capture/replay/operations.ts";
import type { listSessions } from "../../capture/sessions/operations.ts";
import type { listActions } from "../../coordination/actions/operations.ts";
import type { listCheckpoints } from "../../coordination/checkpoints/operations.ts";
import type { facetStats } from "../../coordination/facets/operations.ts";
import type { listRoutines } from "../../coordination/routines/operations.ts";
import type { listSentinels } from "../../coordination/sentinels/operations.ts";
import type { listSketches } from "../../coordination/sketches/operations.ts";
import type { diagnose, heal } from "../../governance/diagnostics/operations.ts";
import type { health, livez } from "../../governance/health/operations.ts";
import type { listSnapshots } from "../../governance/snapshots/operations.ts";
import type { listLessons, searchLessons } from "../../knowledge/lessons/operations.ts";
import type { listMemories } from "../../knowledge/memories/operations.ts";
import type { listSlots } from "../../knowledge/slots/operations.ts";
import type { fullSearch, smartSearch } from "../../recall/search/operations.ts";
import type { listPeers } from "../../sharing/mesh/operations.ts";
import type { EntryOf } from "./operation-entry.ts";
import { operationTable } from "./operations.generated.ts";

/** The operations that the command line's own commands use, with their types but without their schemas. */
export const operations = {
  livez: operationTable["health.livez"] as EntryOf<typeof livez>,
  health: operationTable["health.show"] as EntryOf<typeof health>,
  diagnose: operationTable["diagnostics.run"] as EntryOf<typeof diagnose>,
  heal: operationTable["diagnostics.heal"] as EntryOf<typeof heal>,
  listMemories: operationTable["memories.list"] as EntryOf<typeof listMemories>,
  listSessions: operationTable["sessions.list"] as EntryOf<typeof listSessions>,
  importTranscripts: operationTable["replay.import"] as EntryOf<typeof importTranscripts>,
  listProjects: operationTable["projects.list"] as EntryOf<typeof listProjects>,
  listCommits: operationTable["commits.list"] as EntryOf<typeof listCommits>,
  listActions: operationTable["actions.list"] as EntryOf<typeof listActions>,
  listRoutines: operationTable["routines.list"] as EntryOf<typeof listRoutines>,
  facetStats: operationTable["facets.stats"] as EntryOf<typeof facetStats>,
  listCheckpoints: operationTable["checkpoints.list"] as EntryOf<typeof listCheckpoints>,
  listSentinels: operationTable["sentinels.list"] as EntryOf<typeof listSentinels>,
  listSketches: operationTable["sketches.list"] as EntryOf<typeof listSketches>,
  listLessons: operationTable["lessons.list"] as EntryOf<typeof listLessons>,
  searchLessons: operationTable["lessons.search"] as EntryOf<typeof searchLessons>,
  listSlots: operationTable["slots.list"] as EntryOf<typeof listSlots>,
  listSnapshots: operationTable["snapshots.list"] as EntryOf<typeof listSnapshots>,
  listPeers: operationTable["mesh.peers"] as EntryOf<typeof listPeers>,
  fullSearch: operationTable["search.full"] as EntryOf<typeof fullSearch>,
  smartSearch: operationTable["search.smart"] as EntryOf<typeof smartSearch>,
};
