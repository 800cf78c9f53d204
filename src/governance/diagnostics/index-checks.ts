import type { Ground } from "../../ground.ts";
import { countOutdated, enqueueReindex } from "../../index/reindex.ts";
import type { Check } from "./check.ts";

/** What can be wrong with the search index as a whole. */
export function indexChecks(ground: Ground): Check[] {
  return [
    {
      category: "index",
      name: "outdated-words",
      find: async ({ sql }) => {
        const count = await countOutdated(sql);
        if (count === 0) return undefined;
        const message = `${count} records were indexed by an older version, and some searches may miss them`;
        return { status: "warn", message, count };
      },
      heal: async (tx) => {
        const count = await countOutdated(tx.sql);
        await enqueueReindex(tx, ground);
        return { fixed: count, details: [`${count} records are being indexed anew in the background`] };
      },
    },
  ];
}
