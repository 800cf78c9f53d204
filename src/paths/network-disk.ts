/** Linux's magic numbers of network file systems. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
]);

/** The name of the network file system that a folder is on; undefined for others. Known on Linux only. */
export function networkDisk(
  { type }: { readonly type: number },
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return platform === "linux" ? networkDisks.get(type >>> 0) : undefined;
}
