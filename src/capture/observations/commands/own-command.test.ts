import { expect, test } from "vitest";
import { isOwnCommand } from "./own-command.ts";

test.each([
  ['memsvc search "retry; backoff" --json | jq .results', true],
  ["cd /code/shop && npx memsvc recall retries 2>&1 | head -20", true],
  ["git log -1 --format=%B | memsvc remember - --concept release", true],
  ["MEMSVC_HOME=/tmp/x /usr/local/bin/memsvc context", true],
  ["memsvc search retry; memsvc show mem_1", true],
  ["memsvc remember - <<'EOF'\nIt's slow; npm test is not\nEOF", true],
  ["cat > notes.sh <<EOF\nmemsvc search retry\nEOF", false],
  ["bash -lc 'memsvc search retry'", true],
  ["bash -lc 'memsvc search retry && npm test'", false],
  ["memsvc search retry && npm test", false],
  ["npm test | memsvc remember -", false],
  ["npm test; memsvc search retry", false],
  ["grep -r memsvc src", false],
  ["npm install memsvc", false],
  ["ls", false],
  ["", false],
])("the command %j only uses memsvc: %j", (command, isOwn) => {
  expect(isOwnCommand(command)).toBe(isOwn);
});
