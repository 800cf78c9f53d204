import { expect, test } from "vitest";
import { loadSettings } from "../config/load.ts";
import { hostAllowed } from "./hosts.ts";

test("a server on an IPv6 address accepts every spelling of it, and no other address", () => {
  const { settings } = loadSettings({
    home: "/nowhere",
    fileText: undefined,
    env: { MEMSVC_HOST: "fd00:0::2", MEMSVC_ALLOWED_HOSTS: "fd00::3,box.test" },
  });
  for (const host of ["[fd00::2]:3111", "[FD00:0:0::2]", "[fd00::3]", "BOX.test:80", "[0:0::1]"])
    expect(hostAllowed(host, settings)).toBe(true);
  for (const host of ["fd00::2", "[fd00::4]", "fd00", "[::ffff:127.0.0.1]", "[fd00::2", undefined])
    expect(hostAllowed(host, settings)).toBe(false);
});
