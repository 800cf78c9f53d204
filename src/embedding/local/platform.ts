import { familySync, MUSL } from "../../store/native-target.ts";

/** Platforms for which the ONNX runtime has native libraries. */
const platforms = ["linux", "darwin", "win32"];
const architectures = ["x64", "arm64"];

interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly libc: () => string;
}

const thisMachine: Machine = { platform: process.platform, arch: process.arch, libc: familySync };

/** Why no local model can run on this machine; undefined when it can. */
export function runtimeProblem({ platform, arch, libc }: Machine = thisMachine): string | undefined {
  const isMusl = platform === "linux" && libc() === MUSL;
  if (platforms.includes(platform) && architectures.includes(arch) && !isMusl) return undefined;
  const machine = `${platform} ${arch}${isMusl ? " with musl" : ""}`;
  return `there is no ONNX runtime for ${machine}; MEMSVC_EMBEDDING_PROVIDER=static needs none`;
}
