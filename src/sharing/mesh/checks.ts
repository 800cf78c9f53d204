import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";

/** Checks of `doctor` on the exchange with peers. */
export const meshChecks: readonly Check[] = [
  {
    category: "mesh",
    name: "peer-error",
    hint: "try again, and see why: memsvc mesh sync <id>",
    find: recordsFound(
      "SELECT id FROM mesh_peers WHERE status = 'error'",
      "warn",
      (count) => `${count} with which the last exchange failed`,
    ),
  },
  {
    category: "mesh",
    name: "peer-never-synced",
    hint: "begin: memsvc mesh sync <id>",
    find: recordsFound(
      "SELECT id FROM mesh_peers WHERE last_sync_at IS NULL",
      "warn",
      (count) => `${count} with which nothing was exchanged yet`,
    ),
  },
];
