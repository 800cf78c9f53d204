import { expect, test } from "vitest";
import { networkDisk } from "./network-disk.ts";

test("network disks are recognised by their type on Linux", () => {
  expect(networkDisk({ type: 0x6969 }, "linux")).toBe("NFS");
  for (const type of [0xff534d42, 0xff534d42 | 0]) expect(networkDisk({ type }, "linux")).toBe("SMB");
  expect(networkDisk({ type: 0xef53 }, "linux")).toBeUndefined();
  expect(networkDisk({ type: 0x6969 }, "darwin")).toBeUndefined();
});
