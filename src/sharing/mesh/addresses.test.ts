import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { PeerAddresses, type Resolve } from "./addresses.ts";

const resolving =
  (...addresses: string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

/** The address that a connection to a name would use. */
function connected(addresses: PeerAddresses, name: string, all = false): Promise<unknown> {
  return new Promise((resolve, reject) => {
    addresses.lookup(name, { all }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}

const refused = [
  "127.0.0.1",
  "10.1.2.3",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "192.0.2.1",
  "198.18.0.1",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "64:ff9b::a00:1",
  "fe80::1",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  "2002:7f00:1::",
];
const allowed = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::5"];

describe("without exceptions", () => {
  const none = new PeerAddresses([]);

  test.each(refused)("%s is rejected as an address and as what a name resolves to", async (address) => {
    const literal = address.includes(":") ? `[${address}]` : address;
    await expect(none.check(literal, 1_000)).rejects.toMatchObject({ code: "forbidden" });
    expect(() => none.refuseLiteral(literal)).toThrow("not a public address");
    const named = new PeerAddresses([], resolving(address));
    await expect(named.check("peer.example.org", 1_000)).rejects.toMatchObject({ code: "forbidden" });
    await expect(connected(named, "peer.example.org")).rejects.toMatchObject({ code: "forbidden" });
  });

  test.each(allowed)("%s is accepted", async (address) => {
    await none.check(address.includes(":") ? `[${address}]` : address, 1_000);
    expect(await connected(new PeerAddresses([], resolving(address)), "peer.example.org")).toBe(address);
  });
});

test("a name that becomes private after its registration is not connected to", async () => {
  let address = "8.8.8.8";
  const addresses = new PeerAddresses([], (name, done) => resolving(address)(name, done));
  await addresses.check("peer.example.org", 1_000);
  address = "169.254.169.254";
  await expect(connected(addresses, "peer.example.org")).rejects.toMatchObject({ code: "forbidden" });
});

test("only the allowed addresses of a name are connected to", async () => {
  const addresses = new PeerAddresses([], resolving("10.0.0.1", "8.8.8.8", "::1"));
  await addresses.check("peer.example.org", 1_000);
  expect(await connected(addresses, "peer.example.org")).toBe("8.8.8.8");
  expect(await connected(addresses, "peer.example.org", true)).toEqual([{ address: "8.8.8.8", family: 4 }]);
});

test("exceptions allow single hosts, addresses and blocks", async () => {
  const some = new PeerAddresses(
    ["Box.Local", "192.168.1.2", "10.0.0.0/8", "fd00::/8"],
    resolving("172.16.0.9"),
  );
  await some.check("box.local", 1_000);
  expect(await connected(some, "box.local")).toBe("172.16.0.9");
  await expect(connected(some, "other.local")).rejects.toMatchObject({ code: "forbidden" });
  for (const address of ["192.168.1.2", "10.9.9.9", "fd00::9"]) expect(some.isAllowed(address)).toBe(true);
  for (const address of ["192.168.1.3", "fe80::1"]) expect(some.isAllowed(address)).toBe(false);
});

test("a name that cannot be resolved yet may be registered", async () => {
  const unknown = new PeerAddresses([], (_name, done) =>
    done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []),
  );
  await unknown.check("peer.example.org", 1_000);
  await expect(connected(unknown, "peer.example.org")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await new PeerAddresses([], () => undefined).check("peer.example.org", 5);
});
