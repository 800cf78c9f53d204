import { expect, test } from "vitest";
import { openRemote } from "./remote-driver.ts";

test.each([
  ["libsql://db.example.org?region=eu", 'Unsupported URL query parameter "region"'],
  ["libsql://db.example.org#main", 'URL fragments are not supported: "#main"'],
])("an address that the client rejects, %s, is reported as an invalid MEMSVC_DB_URL", async (url, reason) => {
  await expect(openRemote(url, undefined)).rejects.toMatchObject({
    code: "invalid_setting",
    message: `MEMSVC_DB_URL is not a usable address: ${reason}`,
    hint: "leave out what follows the host and its port",
  });
});
