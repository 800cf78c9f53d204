import type { Core } from "../core.ts";
import type { Ground } from "../ground.ts";
import type { Makers } from "../lazy-properties.ts";
import { Bridge } from "./bridge/bridge.ts";
import { Mesh } from "./mesh/mesh.ts";
import { Team } from "./team/team.ts";
import { Vault } from "./vault/vault.ts";

/** The services that share knowledge with other people and programs. */
export interface SharingServices {
  readonly team: Team;
  readonly mesh: Mesh;
  readonly vault: Vault;
  readonly bridge: Bridge;
}

export const sharingServices = (ground: Ground, core: Core, userHome: string): Makers<SharingServices> => ({
  team: () => new Team(ground, core),
  mesh: () => new Mesh(ground, core),
  vault: () => new Vault(ground, core),
  bridge: () => new Bridge(ground, core, userHome),
});
