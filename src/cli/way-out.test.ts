import { expect, test } from "vitest";
import { MemsvcError } from "../operation/errors.ts";
import { wayOutOf } from "./way-out.ts";

const wayOut = (message: string) => wayOutOf(new MemsvcError("not_found", message), "memsvc --help");

test.each([
  ["snapshot snp_1 is not known", "memsvc snapshot list"],
  ["there is no slot notes", "memsvc slot list"],
  ["lesson lsn_1 is not known", "memsvc lesson search"],
  ["session s is not known", "memsvc session list"],
  ["memory mem_1 is not known", "memsvc search"],
  ["nothing to forget: mem_1 not known", "memsvc search"],
  ["x is neither a memory nor an observation that is known", "memsvc search"],
])("what a daemon does not find is looked for where it can be found: %s", (message, command) => {
  expect(wayOut(message)).toContain(command);
});

test("what the mesh wants is named, though it is no flag", () => {
  const off = new MemsvcError("feature_off", "mesh requires MEMSVC_SECRET");
  expect(wayOutOf(off, "memsvc --help")).toMatch(/: memsvc config set MEMSVC_SECRET$/u);
});

test("a file that is missing is not looked for among memories", () => {
  expect(wayOut("~/old.json does not exist")).toBe("look at the path");
  expect(wayOut("the file of snapshot snp_1 is missing")).toBeUndefined();
});
