import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { childEnv } from "../../../src/transport/stdio/child-env.ts";
import { anyText } from "../../support/arbitraries.ts";

const SECRETS = { AWS_SECRET_ACCESS_KEY: "s", NODE_OPTIONS: "--inspect", GITHUB_TOKEN: "t" };

function namesOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(env).sort();
}

const anyEnv = (): fc.Arbitrary<Record<string, string>> =>
  fc.dictionary(fc.oneof(anyText(), fc.constantFrom("PATH", "Path", "path", "A", "a")), anyText(), {
    maxKeys: 6,
    noNullPrototype: true,
  });

describe("what a child inherits by default", () => {
  it("is the safe list on POSIX, by the exact names", () => {
    const kept = {
      HOME: "/h",
      PATH: "/b",
      SHELL: "sh",
      USER: "u",
      LOGNAME: "u",
      TERM: "x",
      TZ: "UTC",
      LANG: "C",
      LC_ALL: "C",
      LC_CTYPE: "C",
      TMPDIR: "/t",
      XDG_CONFIG_HOME: "/x",
      HTTPS_PROXY: "p",
      https_proxy: "p",
      no_proxy: "n",
      NODE_EXTRA_CA_CERTS: "c",
      SSL_CERT_FILE: "c",
      REQUESTS_CA_BUNDLE: "c",
      CURL_CA_BUNDLE: "c",
    };
    const env = childEnv({}, "safe", { ...kept, ...SECRETS, Path: "no", home: "no" }, "linux");
    expect({ ...env }).toEqual(kept);
  });

  it("is the safe list on Windows, in any case", () => {
    const kept = {
      Path: "C:\\",
      PATHEXT: ".CMD",
      ComSpec: "cmd",
      SystemRoot: "C:\\W",
      AppData: "a",
      "ProgramFiles(x86)": "p",
      USERPROFILE: "u",
      temp: "t",
      Https_Proxy: "p",
    };
    expect({ ...childEnv({}, "safe", { ...kept, ...SECRETS }, "win32") }).toEqual(kept);
  });

  it("holds no shell function and no absent value", () => {
    const parent = { PATH: "() { :; }", HOME: undefined, LANG: "C" };
    expect({ ...childEnv({}, "safe", parent, "linux") }).toEqual({ LANG: "C" });
    expect({ ...childEnv({}, true, parent, "linux") }).toEqual({ LANG: "C" });
  });
});

describe("what a child inherits when asked for", () => {
  const parent = { PATH: "/b", ...SECRETS };

  it("is everything, nothing, or some names on top of the safe list", () => {
    expect({ ...childEnv({}, true, parent, "linux") }).toEqual(parent);
    expect({ ...childEnv({}, false, parent, "linux") }).toEqual({});
    expect(namesOf(childEnv({}, ["GITHUB_TOKEN", "ABSENT"], parent, "linux"))).toEqual([
      "GITHUB_TOKEN",
      "PATH",
    ]);
    expect(namesOf(childEnv({}, ["github_token"], parent, "linux"))).toEqual(["PATH"]);
    expect(namesOf(childEnv({}, ["github_token"], parent, "win32"))).toEqual([
      "GITHUB_TOKEN",
      "PATH",
    ]);
  });
});

describe("the configured variables", () => {
  it("extend, replace and remove inherited ones", () => {
    const parent = { PATH: "/b", HOME: "/h", LANG: "C" };
    const env = childEnv({ FOO: "bar", HOME: "/other", LANG: null }, "safe", parent, "linux");
    expect({ ...env }).toEqual({ PATH: "/b", HOME: "/other", FOO: "bar" });
  });

  it("meet inherited ones of another case on Windows", () => {
    const env = childEnv(
      { PATH: "C:\\mine", temp: null },
      "safe",
      { Path: "C:\\", TEMP: "t" },
      "win32",
    );
    expect({ ...env }).toEqual({ PATH: "C:\\mine" });
  });

  it("are all in the child's environment as written, for any variables and any parent", () => {
    fc.assert(
      fc.property(anyEnv(), anyEnv(), fc.constantFrom(true, false), (own, parent, inherit) => {
        const env = childEnv(own, inherit, parent, "linux");
        for (const [name, value] of Object.entries(own)) expect(env[name]).toBe(value);
        for (const name of Object.keys(env)) expect(name in own || name in parent).toBe(true);
      }),
    );
  });

  it("leave one spelling of each name on Windows, for any variables and any parent", () => {
    fc.assert(
      fc.property(anyEnv(), anyEnv(), (own, parent) => {
        const names = Object.keys(childEnv(own, true, parent, "win32"));
        expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(names.length);
      }),
    );
  });
});
