/** How a program is started, and what it says when it cannot play. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Arena, DONE } from "./arena.js";
import { against, program } from "./program.js";

test("address and token come from the environment", async () => {
  const arena = await Arena.open(async (stream) => {
    assert.equal(stream.authorization, "Bearer from-outside");
    const { hello } = await stream.greet();
    assert.deepEqual([hello.name, hello.matches], ["random", 1]);
    stream.send(DONE);
  });

  const exit = await program("../main.js", [], { RIVALRY_ADDRESS: arena.address, RIVALRY_TOKEN: "from-outside" });
  await arena.close();

  assert.deepEqual(exit, { status: 0, stdout: "", stderr: "" });
});

test("an arena's words neither fill the terminal nor move its cursor", async () => {
  const { status, stderr } = await against(async (stream) => {
    await stream.one();
    const remedy = "\u202e" + "x".repeat(100_000);
    stream.send({ refused: { reason: "REFUSAL_REASON_BUSY", ours: "\u001b[2J\nyours", remedy } });
  }, []);

  assert.equal(status, 2);
  assert.match(stderr, /^rivalry: the arena refused this bot \(busy\):  \[2J yours;  x+…\n$/);
  assert.ok(stderr.length < 1020);
});

test("a proxy of the environment is not asked for an arena on this machine", async () => {
  const arena = await Arena.open(async (stream) => {
    await stream.greet();
    stream.send(DONE);
  });

  const exit = await program("../main.js", [], { RIVALRY_ADDRESS: arena.address, http_proxy: "http://127.0.0.1:1" });
  await arena.close();

  assert.deepEqual(exit, { status: 0, stdout: "", stderr: "" });
});

test("a socket in the file system is an address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rivalry-"));
  const arena = await Arena.open(async (stream) => {
    const { hello } = await stream.greet();
    assert.equal(hello.name, "me");
    stream.send(DONE);
  }, `unix:${folder}/arena`);

  const exit = await program("../main.js", ["--address", arena.address, "--bot", "first", "--name", "me"]);
  await arena.close();
  rmSync(folder, { recursive: true });

  assert.deepEqual(exit, { status: 0, stdout: "", stderr: "" });
});

test("nobody at the address is one line and status 2", async () => {
  const [nobody, socket] = await Promise.all([
    program("../main.js", ["--address", "127.0.0.1:1"]),
    program("../main.js", ["--address", "unix:/no/such/socket"]),
  ]);

  assert.deepEqual([nobody.status, nobody.stdout], [2, ""]);
  assert.equal(
    nobody.stderr,
    "rivalry: no arena at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1;" +
      ' start an arena with "rivalry serve", a ladder with "rivalry ladder serve", or say where it is with --address\n',
  );
  assert.equal(socket.status, 2);
  assert.match(socket.stderr, /^rivalry: no arena at unix:\/no\/such\/socket: connect ENOENT [^\n]*\n$/);
});

test("another server at the address is one line and status 2", async () => {
  const other = createServer((_, response) => {
    response.writeHead(404);
    response.end();
  });
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  const { port } = other.address() as AddressInfo;

  const exit = await program("../main.js", ["--address", `127.0.0.1:${port}`]);
  other.close();

  assert.equal(exit.status, 2);
  assert.match(exit.stderr, /^rivalry: no arena at .*: what answers there is none; .*\n$/);
});

test("bad input is one line and status 2", async () => {
  const cases = [
    [["--bot", "best"], /--bot best: expected random or first/],
    [["--matches", "0"], /--matches 0: expected a whole number from 1/],
    [["--patience=-1"], /--patience -1: expected a number of seconds/],
    [["--resume-file", "/no/where/token"], /--resume-file \/no\/where\/token: ENOENT/],
    [["--colour", "red"], /Unknown option '--colour'/],
    [["--proto", "/no/where"], /no schema in \/no\/where/],
  ] as const;

  const exits = await Promise.all(cases.map(([args]) => program("../main.js", args)));

  exits.forEach(({ status, stdout, stderr }, index) => {
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, cases[index]![1]);
    assert.match(stderr, /^rivalry: [^\n]+\n$/);
  });
});

test("help is not an error", async () => {
  const exit = await program("../main.js", ["--help"]);

  assert.deepEqual([exit.status, exit.stderr], [0, ""]);
  assert.match(exit.stdout, /RIVALRY_ADDRESS,\n +else 127\.0\.0\.1:7777/);
  assert.match(exit.stdout, /--bot NAME +random or first/);
});
