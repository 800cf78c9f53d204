import packageFile from "../package.json" with { type: "json" };

/** Version of this program, `major.minor.patch`. */
export const version: string = packageFile.version;
