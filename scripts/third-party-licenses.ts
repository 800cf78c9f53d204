import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type LicenseInfo, licensePlugin } from "rolldown-license-plugin";

/** Licenses whose terms are met by distributing their text with the program. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

const root = fileURLToPath(new URL("..", import.meta.url));
const line = "=".repeat(80);

/**
 * Writes the licenses of all packages whose code the builds put into dist. Every build adds its own to the file.
 * `copied` are files with the licenses of what is copied there as it is. A package under other terms, or under none,
 * fails the build.
 */
export function thirdPartyLicenses(file: string, copied: readonly string[]) {
  const found = new Map<string, LicenseInfo>();
  return licensePlugin({
    allow: ({ license }) => permissive.has(license),
    failOnViolation: true,
    failOnUnlicensed: true,
    done: (licenses) => {
      for (const one of licenses) found.set(titleOf(one), one);
      const packages = [...found.values()].sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
      const texts = [
        ...packages.map((one) => section(titleOf(one), one.licenseText.trim() || termsOf(one))),
        ...copied.map((path) => section(path, readFileSync(`${root}node_modules/${path}`, "utf8"))),
      ];
      mkdirSync(dirname(`${root}${file}`), { recursive: true });
      writeFileSync(`${root}${file}`, texts.join("\n"));
    },
  });
}

function titleOf({ name, version, license }: LicenseInfo): string {
  return `${name} ${version} (${license})`;
}

/** Stands for the text of a license, for the few packages that only name it. */
function termsOf({ name, license }: LicenseInfo): string {
  return `https://spdx.org/licenses/${license}.html\nhttps://www.npmjs.com/package/${name}`;
}

function section(title: string, text: string): string {
  return `${line}\n${title}\n${line}\n\n${text.trim()}\n`;
}
