import { afterEach, beforeEach, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { enrich } from "../../src/recall/enrich/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

const shop = "/w/shop";

async function observed(sessionId: string, cwd: string, hookType: string, data: object) {
  http.advance(60_000);
  const timestamp = new Date(http.now()).toISOString();
  return (await http.ok(observe, { sessionId, hookType, project: cwd, cwd, timestamp, data })).observationId;
}

const edited = (sessionId: string, cwd: string, file: string) =>
  observed(sessionId, cwd, "post_tool_use", {
    tool_name: "Edit",
    tool_input: { file_path: file, new_string: "const limit = 5;" },
  });

const begun = (sessionId: string, cwd: string) => observed(sessionId, cwd, "session_start", {});

const asked = async (sessionId: string, ...files: string[]) => http.ok(enrich, { sessionId, files });

test("what is left to do in a file is told also when many sessions had to do with other files since", async () => {
  await observed("s0", shop, "stop", { lastAssistantMessage: "Still to do: paging in src/list.ts." });
  for (let n = 1; n <= 20; n += 1) await edited(`s${n}`, shop, `${shop}/src/other${n}.ts`);
  await begun("now", shop);
  expect((await asked("now", `${shop}/src/list.ts`)).context).toContain("paging in src/list.ts");
});
