/** A program of this package as a process of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { Arena, type Stream } from "./arena.js";

export interface Exit {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of this package to its end. */
export function program(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  signal?: Promise<NodeJS.Signals>,
): Promise<Exit> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("RIVALRY_")));
  const child = spawn(process.execPath, [path, ...args], { env: { ...rest, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  void signal?.then((name) => child.kill(name));
  return new Promise((done) => child.on("close", (status) => done({ status, stdout, stderr })));
}

/** Runs a program against an arena that says what `script` does. */
export async function against(
  script: (stream: Stream) => Promise<void>,
  args: readonly string[],
  file = "../main.js",
  env: Readonly<Record<string, string>> = {},
): Promise<Exit> {
  const arena = await Arena.open(script);
  const exit = await program(file, ["--address", arena.address, ...args], env);
  await arena.close();
  return exit;
}
