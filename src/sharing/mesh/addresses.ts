import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { withoutBrackets } from "../../net/host-brackets.ts";
import { MemsvcError } from "../../operation/errors.ts";

/*
 * Which addresses a peer may have. A host name is checked by the addresses it resolves to, at every
 * connection, and the connection goes to the address that was checked. So a name that is public when it is
 * registered and resolves to a private address later does not get through.
 */

const refusedIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;

/**
 * Of IPv6 only this block is public; the blocks refused within it are tunnels to other networks, or are
 * reserved for examples.
 */
const publicIpv6 = "2000::/3";
const refusedIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

const refused = blockList([...refusedIpv4, ...refusedIpv6]);
const global = blockList([publicIpv6]);

/** Resolves a name; the error of the callback is that of the system. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveBySystem: Resolve = (name, done) => lookup(name, { all: true, verbatim: true }, done);

/**
 * Decides which hosts and addresses a peer may have. `allowed`: hosts or CIDR blocks that are let through
 * even if they are private.
 */
export class PeerAddresses {
  readonly #allowed: readonly string[];
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #allowedBlocks: BlockList;
  readonly #resolve: Resolve;

  constructor(allowed: readonly string[], resolve = resolveBySystem) {
    this.#allowed = allowed;
    const isBlock = (item: string) => item.includes("/") || isIP(withoutBrackets(item)) !== 0;
    this.#allowedHosts = new Set(allowed.filter((item) => !isBlock(item)).map((item) => item.toLowerCase()));
    this.#allowedBlocks = blockList(allowed.filter(isBlock).map(withoutBrackets));
    this.#resolve = resolve;
  }

  /**
   * Error: forbidden for an address that is not allowed, or a name that resolves to no allowed address. A
   * name that does not resolve within `waitMs` passes.
   */
  async check(hostname: string, waitMs: number): Promise<void> {
    const host = withoutBrackets(hostname);
    if (this.#isAllowedHost(host)) return;
    if (isIP(host) !== 0) {
      if (!this.isAllowed(host)) throw this.#refused(host);
      return;
    }
    const found = await new Promise<readonly LookupAddress[]>((done) => {
      // A name that does not resolve in time is not refused here: each connection checks it again.
      const tooLong = setTimeout(() => done([]), waitMs);
      this.#resolve(host, (_error, addresses) => {
        clearTimeout(tooLong);
        done(addresses ?? []);
      });
    });
    if (found.length > 0 && !found.some(({ address }) => this.isAllowed(address))) throw this.#refused(host);
  }

  /**
   * Refuses a host that is a literal IP address, for which no lookup is made, unless it is allowed. Error:
   * forbidden.
   */
  refuseLiteral(hostname: string): void {
    const host = withoutBrackets(hostname);
    if (isIP(host) !== 0 && !this.#isAllowedHost(host) && !this.isAllowed(host)) throw this.#refused(host);
  }

  /** The lookup function for connections: returns only allowed addresses. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.#resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      const family = options.family === 4 || options.family === 6 ? options.family : 0;
      const usable = addresses.filter(
        (one) =>
          (family === 0 || one.family === family) &&
          (this.#isAllowedHost(withoutBrackets(hostname)) || this.isAllowed(one.address)),
      );
      const [first] = usable;
      if (first === undefined) return callback(this.#refused(hostname), "", 0);
      if (options.all === true) return callback(null, [...usable]);
      callback(null, first.address, first.family);
    });
  };

  isAllowed(address: string): boolean {
    const isIpv6 = isIP(address) === 6;
    const family = isIpv6 ? "ipv6" : "ipv4";
    if (this.#allowedBlocks.check(address, family)) return true;
    return !refused.check(address, family) && (!isIpv6 || global.check(address, "ipv6"));
  }

  #isAllowedHost(host: string): boolean {
    return this.#allowedHosts.has(host.toLowerCase());
  }

  #refused(host: string): MemsvcError {
    // `config set` replaces the whole value, so the hint repeats what the setting lists already.
    const list = [...this.#allowed, host].join(",");
    return new MemsvcError(
      "forbidden",
      `${host} is not a public address, and MEMSVC_MESH_ALLOW_PRIVATE does not list it`,
      {
        hint: `if it is yours, list it, then restart the daemon: memsvc config set MEMSVC_MESH_ALLOW_PRIVATE ${list}`,
      },
    );
  }
}

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", length] = block.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return list;
}
