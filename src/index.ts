export { type LoadedSettings, loadSettings, type Settings } from "./config/load.ts";
export { Core, type CoreOptions } from "./core.ts";
export type { Log, LogLevel } from "./ground.ts";
export { type OpenOptions, openCore } from "./open-core.ts";
export { catalogue } from "./operation/catalogue.ts";
export type { Answer, Call, Caller, Operation } from "./operation/define.ts";
export { type ErrorCode, type Issue, isMemsvcError, MemsvcError } from "./operation/errors.ts";
export { version } from "./version.ts";
