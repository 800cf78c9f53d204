import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isMemsvcError } from "../operation/errors.ts";
import { expandHome } from "../paths/expand-home.ts";
import { configFile, homeFolder } from "./home.ts";

const userHome = resolve("/users/ada");

describe("homeFolder", () => {
  test("prefers the flag to the environment, and the environment to the default", () => {
    const env = { MEMSVC_HOME: "/from/env" };
    expect(homeFolder({ flag: "/from/flag", env, userHome })).toBe(resolve("/from/flag"));
    expect(homeFolder({ env, userHome })).toBe(resolve("/from/env"));
    expect(homeFolder({ env: {}, userHome })).toBe(join(userHome, ".memsvc"));
  });

  test("treats a blank MEMSVC_HOME as unset", () => {
    expect(homeFolder({ env: { MEMSVC_HOME: "" }, userHome })).toBe(join(userHome, ".memsvc"));
  });

  test.each(["", " "])("rejects the flag %j, which must not mean the usual store", (flag) => {
    const attempt = () => homeFolder({ flag, env: { MEMSVC_HOME: "/from/env" }, userHome });
    expect(attempt).toThrow(expect.toSatisfy((error: unknown) => isMemsvcError(error, "invalid_setting")));
  });

  test("expands a tilde to the user's home", () => {
    expect(homeFolder({ env: { MEMSVC_HOME: "~/memory" }, userHome })).toBe(join(userHome, "memory"));
    expect(homeFolder({ flag: "~", env: {}, userHome })).toBe(userHome);
  });

  test("resolves a relative flag from the working directory", () => {
    expect(homeFolder({ flag: "here", env: {}, userHome })).toBe(resolve("here"));
  });

  test("rejects a relative MEMSVC_HOME, which would be another store in every folder", () => {
    const attempt = () => homeFolder({ env: { MEMSVC_HOME: "here" }, userHome });
    expect(attempt).toThrow(/MEMSVC_HOME must be an absolute path/);
    expect(attempt).toThrow(expect.toSatisfy((error: unknown) => isMemsvcError(error, "invalid_setting")));
  });
});

test("a tilde inside a path or before a user's name is kept", () => {
  expect(expandHome("/a/~/b", userHome)).toBe("/a/~/b");
  expect(expandHome("~bob/x", userHome)).toBe("~bob/x");
});

test("the config file is .env in the home folder", () => {
  expect(configFile(userHome)).toBe(join(userHome, ".env"));
});
