import { firstObservations } from "../../capture/observations/reads/export-pages.ts";
import { countAllSessions, sessionPages, sessionText } from "../../capture/sessions/transfer.ts";
import type { Settings } from "../../config/load.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { summaryCollection } from "../../knowledge/summaries/transfer.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import type { Paging } from "../../store/page.ts";
import type { StoreView, Transaction } from "../../store/store.ts";
import { version } from "../../version.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import type { ExportPage, Reading } from "./collection.ts";
import { exportedArrays } from "./collections.ts";
import { inBlocks, joined } from "./json-blocks.ts";
import { readAhead } from "./read-ahead.ts";

const largestPage = 1_000;
/**
 * Makes a record of about 660 kB. A thing that all observations of a project name may have a million of them.
 */
const mostNamed = 20_000;

export interface ExportInput {
  readonly maxSessions?: number | undefined;
  readonly offset: number;
  readonly includeImages?: boolean | undefined;
}

/**
 * The whole store, or one page of its sessions, as the JSON text of an export, in blocks. Everything is read
 * from one view, so the export is consistent whatever is written meanwhile; memory holds one page of rows.
 */
export async function* exportStore(
  ground: Ground,
  { audit }: { readonly audit: Audit },
  input: ExportInput,
  by: AskedBy,
): AsyncGenerator<Uint8Array> {
  const page = pageOf(input);
  await graphSettled(ground);
  const view = await ground.store.openView();
  try {
    const details = page === undefined ? {} : { ...page };
    const entry = { operation: "export", functionId: "store.export", targetIds: [], details } as const;
    const note = () => noted(ground, (tx) => audit.recordUnscoped(tx, by, entry));
    const unnoted = await note();
    yield* exportedText(ground, view, { page, includeImages: input.includeImages ?? false });
    const reason = unnoted && (await note());
    if (reason !== undefined) ground.log("warn", "an export is not in the audit", { reason });
  } finally {
    await view.close();
  }
}

/**
 * Writes the audit entry, or returns why it could not be written: a store on a full disk, or one that another process
 * keeps locked, can still be exported.
 */
async function noted(
  { store }: Ground,
  record: (tx: Transaction) => Promise<void>,
): Promise<string | undefined> {
  if (store.isReadOnly) return undefined;
  try {
    await store.write(record, { dispensable: true });
    return undefined;
  } catch (error) {
    const fault = store.faultOf(error);
    if (isMemsvcError(fault, "disk_full") || isMemsvcError(fault, "unavailable")) return fault.message;
    throw error;
  }
}

function pageOf({ maxSessions, offset }: ExportInput): Paging | undefined {
  if (maxSessions === undefined && offset === 0) return undefined;
  return { offset, limit: Math.min(maxSessions ?? largestPage, largestPage) };
}

interface Extent {
  readonly page?: Paging | undefined;
  readonly includeImages: boolean;
}

/** The text of an export of what a view shows, in blocks. `home` is where the images are. */
export function exportedText(
  ground: Pick<Ground, "now" | "home" | "settings">,
  view: StoreView,
  extent: Extent,
): AsyncGenerator<Uint8Array> {
  return inBlocks(exportedPieces(ground, view, extent));
}

async function* exportedPieces(
  ground: Pick<Ground, "now" | "home" | "settings">,
  view: StoreView,
  { page, includeImages }: Extent,
): AsyncGenerator<ExportPage> {
  const now = ground.now();
  yield `{"version":${JSON.stringify(version)},"exportedAt":"${timeText(now)}"`;
  yield ',"sessions":[';
  const sessionIds: string[] = [];
  yield* joined(sessionTexts(view, page, sessionIds));
  yield '],"observations":{';
  yield* observationsBySession(view, ground.settings, page);
  const reading: Reading = {
    connection: view,
    now,
    includeImages,
    mostNamed,
    home: ground.home,
    settings: ground.settings,
  };
  yield '},"summaries":[';
  yield* joined(summaryCollection.pages(page === undefined ? reading : { ...reading, sessionIds }));
  yield "]";
  for (const own of exportedArrays) {
    yield `,"${own.name}":[`;
    if (page === undefined || page.offset === 0) yield* joined(own.pages(reading));
    yield "]";
  }
  yield `,"pagination":${JSON.stringify(paginationOf(page, await countAllSessions(view)))}}`;
}

/** The texts of the sessions. With `page`, collects their ids in `ids` (at most 1,000). */
async function* sessionTexts(
  view: StoreView,
  page: Paging | undefined,
  ids: string[],
): AsyncGenerator<string> {
  for await (const rows of sessionPages(view, page)) {
    if (page !== undefined) ids.push(...rows.map(({ id }) => id));
    yield rows.map(sessionText).join(",");
  }
}

async function* observationsBySession(
  view: StoreView,
  settings: Settings,
  page: Paging | undefined,
): AsyncGenerator<ExportPage> {
  let isFirst = true;
  for await (const { id, first } of readAhead(sessionReadings(view, settings, page))) {
    if (first.records === undefined) continue;
    yield `${isFirst ? "" : ","}${JSON.stringify(id)}:[`;
    yield first.records;
    for (let later = await first.next?.(); later?.records !== undefined; later = await later.next?.()) {
      yield ",";
      yield later.records;
    }
    yield "]";
    isFirst = false;
  }
}

async function* sessionReadings(view: StoreView, settings: Settings, page: Paging | undefined) {
  for await (const rows of sessionPages(view, page)) {
    for (const { id } of rows)
      yield async () => ({ id, first: await firstObservations(view.sql, settings, id) });
  }
}

function paginationOf(page: Paging | undefined, total: number) {
  if (page === undefined) return { offset: 0, limit: total, total, hasMore: false };
  return { ...page, total, hasMore: page.offset + page.limit < total };
}
