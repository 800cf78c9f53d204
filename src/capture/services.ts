import type { Core } from "../core.ts";
import type { Ground } from "../ground.ts";
import type { Makers } from "../lazy-properties.ts";
import { type Branches, branchesOver } from "./branches/branches.ts";
import { Commits } from "./commits/commits.ts";
import { type Files, filesOver } from "./files/files.ts";
import { Observations } from "./observations/observations.ts";
import { ProjectFolders } from "./projects/project-folders.ts";
import { Projects } from "./projects/projects.ts";
import { type Replay, replayOver } from "./replay/replay.ts";
import { AgentScopes } from "./sessions/agent-scope.ts";
import { Sessions } from "./sessions/sessions.ts";

/** The services for capture: what happened. */
export interface CaptureServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly projectFolders: ProjectFolders;
  readonly sessions: Sessions;
  readonly observations: Observations;
  readonly commits: Commits;
  readonly branches: Branches;
  readonly files: Files;
  readonly replay: Replay;
}

export const captureServices = (ground: Ground, core: Core, userHome: string): Makers<CaptureServices> => ({
  agents: () => new AgentScopes(ground.settings),
  projects: () => new Projects(userHome),
  projectFolders: () => new ProjectFolders(ground, core),
  sessions: () => new Sessions(ground, core),
  observations: () => new Observations(ground, core),
  commits: () => new Commits(ground, core),
  branches: () => branchesOver(core.sessions),
  files: () => filesOver(ground, core),
  replay: () => replayOver(ground, core, userHome),
});
