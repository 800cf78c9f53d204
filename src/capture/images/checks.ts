import { type Check, recordsFound } from "../../governance/diagnostics/check.ts";
import type { Ground } from "../../ground.ts";
import { removeUnknownFiles } from "./eviction.ts";
import { imageFileState } from "./files.ts";
import { imageRecords } from "./record.ts";
import { deleteUnreferenced, unreferencedImages } from "./unreferenced-images.ts";

const pageSize = 1_000;
const mostIds = 1_000;

/** Checks of `doctor` on images. */
export function imageChecks(ground: Ground): Check[] {
  return [
    {
      category: "images",
      name: "missing-image-file",
      hint: "restore the folder images from a backup of the home",
      find: async ({ sql }) => {
        const missing: string[] = [];
        let after = "";
        for (;;) {
          const page = await imageRecords(sql, { after, limit: pageSize });
          for (const { imageRef: ref, extension, bytes } of page) {
            if (imageFileState(ground, { ref, extension }, bytes) !== "whole") missing.push(ref);
          }
          after = page.at(-1)?.imageRef ?? after;
          if (page.length < pageSize) break;
        }
        if (missing.length === 0) return undefined;
        const message = `${missing.length} without their file`;
        return { status: "warn", message, ids: missing.slice(0, mostIds), count: missing.length };
      },
    },
    {
      category: "images",
      name: "unreferenced-image",
      find: recordsFound(
        `SELECT ref FROM ${unreferencedImages} ORDER BY ref`,
        "warn",
        (count) => `${count} that nothing names any more`,
      ),
      heal: async (tx) => {
        const gone = await deleteUnreferenced(tx.sql);
        return {
          details: gone.map(({ ref }) => `image ${ref} was deleted`),
          afterwards: () => removeUnknownFiles(ground, gone),
        };
      },
    },
  ];
}
