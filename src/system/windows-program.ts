import { join } from "node:path";

/**
 * The path of a program that belongs to Windows. By its bare name the system would first look for it in the working
 * folder, which may be anybody's repository.
 */
export function windowsProgram(name: string): string {
  return join(process.env.SystemRoot ?? "C:\\Windows", "System32", `${name}.exe`);
}
