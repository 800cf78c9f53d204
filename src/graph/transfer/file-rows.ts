import * as z from "zod";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedObject,
} from "../../governance/transfer/file-fields.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { fittingProperties, mostAliases } from "../kept-of-things.ts";
import { LayerOrigin } from "../record.ts";
import { cleanName } from "../storage/names.ts";
import { defaultWeight } from "../weight.ts";

/** Rows of the graph as a file holds them. */

const Properties = RedactedObject.transform((given) => fittingProperties(given));

const sharedFields = {
  id: FileId,
  type: FileText,
  sourceObservationIds: FileTexts,
  origin: LayerOrigin.default("import"),
  stale: z.boolean().default(false),
  divided: z.boolean().optional(),
  updatedAt: FileTime.optional(),
};

const nodeFields = {
  ...sharedFields,
  createdAt: FileTime,
  name: FileText.refine((name) => cleanName(name) !== "", "must not be blank"),
  project: FileText.optional(),
  projectKey: FileText.optional(),
  aliases: FileTexts,
  properties: Properties.default(() => ({})),
};

const edgeFields = {
  ...sharedFields,
  createdAt: FileTime.optional(),
  sourceNodeId: FileId,
  targetNodeId: FileId,
  // Related programs also write edges of no weight.
  weight: z.number().min(0).max(1).default(defaultWeight),
  givenWeight: z.number().min(0).max(1).optional(),
  structural: z.boolean().optional(),
  properties: Properties.optional(),
};

/** Fields that an import ignores, because they are computed from other rows. */
const counted = ["degree", "sourceCount"];
export const nodeFieldNames: ReadonlySet<string> = new Set([...Object.keys(nodeFields), ...counted]);
export const edgeFieldNames: ReadonlySet<string> = new Set([...Object.keys(edgeFields), ...counted]);

/*
 * The transforms name the fields one by one instead of spreading the object: files hold hundreds of thousands of rows,
 * and a spread takes longer than the whole validation.
 */

export const NodeInFile = z.object(nodeFields).transform((given) => {
  const kept = (name: string) => (given.type === "file" ? name : redactText(name));
  return {
    id: given.id,
    type: given.type,
    sourceObservationIds: given.sourceObservationIds,
    origin: given.origin,
    stale: given.stale,
    divided: given.divided,
    createdAt: given.createdAt,
    updatedAt: given.updatedAt ?? given.createdAt,
    name: cleanName(kept(given.name)),
    project: given.project,
    projectKey: given.projectKey,
    aliases: given.aliases.slice(0, mostAliases).map(kept),
    properties: given.properties,
  };
});
export type NodeInFile = z.output<typeof NodeInFile>;

/** The weight in the file is not stored: it is computed from the given weight and the number of sources. */
export const EdgeInFile = z.object(edgeFields).transform((given) => {
  const structural = given.structural ?? given.origin === "structural";
  return {
    id: given.id,
    type: given.type,
    sourceObservationIds: given.sourceObservationIds,
    origin: given.origin,
    stale: given.stale,
    divided: given.divided,
    createdAt: given.createdAt,
    updatedAt: given.updatedAt ?? given.createdAt,
    sourceNodeId: given.sourceNodeId,
    targetNodeId: given.targetNodeId,
    structural,
    givenWeight: given.givenWeight ?? (structural ? undefined : given.weight),
    properties: given.properties,
  };
});
export type EdgeInFile = z.output<typeof EdgeInFile>;
