import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as grpc from "@grpc/grpc-js";

import { Arena, DONE, LUCK, prompt, type Stream } from "./arena.js";
import { type Exit, program } from "./program.js";

async function against(script: (stream: Stream) => Promise<void>, args: string[], file = "../main.js"): Promise<Exit> {
  const arena = await Arena.open(script);
  const exit = await program(file, ["--address", arena.address, ...args]);
  await arena.close();
  return exit;
}

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

test("a pong leaves before a bot thinks, even one that holds the loop", async () => {
  const exit = await against(
    async (stream) => {
      await stream.greet();
      await stream.seat(1);
      const asked = Date.now();
      stream.send(prompt(1, 1), { ping: { nonce: "8" } });
      assert.equal((await stream.one()).pong.nonce, "8");
      assert.ok(Date.now() - asked < 500);
      assert.equal((await stream.one()).answer.index, 0);
      assert.ok(Date.now() - asked >= 1000);
      stream.send(DONE);
    },
    ["--bot", "Slow"],
    "./odd_bots.js",
  );

  assert.equal(exit.status, 0);
});

test("an exception outside of choose is a crash too", async () => {
  const exit = await against(
    async (stream) => {
      await stream.greet();
      await stream.seat(1);
      stream.send(prompt(1, 1));
      const { leave } = await stream.one();
      assert.deepEqual([leave.reason, leave.text], ["LEAVE_REASON_CRASH", "RangeError: astray"]);
    },
    ["--bot", "Stray"],
    "./odd_bots.js",
  );

  assert.equal(exit.status, 1);
  assert.match(exit.stderr, /^rivalry: the bot failed: RangeError: astray\n +at /);
});

test("the program ends although its bot left a timer behind", async () => {
  const exit = await against(
    async (stream) => {
      await stream.greet();
      await stream.seat(1);
      stream.send(prompt(1, 1));
      await stream.one();
      stream.send(DONE);
    },
    ["--bot", "Clinging"],
    "./odd_bots.js",
  );

  assert.deepEqual(exit, { status: 0, stdout: "", stderr: "" });
});

test("Ctrl-C says goodbye", async () => {
  let interrupt: (signal: NodeJS.Signals) => void = () => undefined;
  const signal = new Promise<NodeJS.Signals>((resolve) => (interrupt = resolve));
  const arena = await Arena.open(async (stream) => {
    await stream.greet();
    await stream.seat(1);
    interrupt("SIGINT");
    const { leave } = await stream.one();
    assert.deepEqual([leave.reason, leave.text], ["LEAVE_REASON_DONE", "interrupted"]);
  });

  const exit = await program("../main.js", ["--address", arena.address], {}, signal);
  await arena.close();

  assert.deepEqual(exit, { status: 130, stdout: "", stderr: "" });
});

test("an arena that goes down and comes back is played on with, over a new stream", async () => {
  let lost: (address: string) => void = () => undefined;
  const losing = new Promise<string>((resolve) => (lost = resolve));
  const first = await Arena.open(async (stream) => {
    await stream.greet(undefined, { resumeToken: Buffer.from("one") });
    await stream.seat(1);
    stream.send(prompt(1, 1));
    await stream.until("answer");
    lost(first.address);
    stream.end({ code: grpc.status.UNAVAILABLE, details: "going down" });
  });
  const exit = program("../main.js", ["--address", first.address, "--bot", "first"]);
  const address = await losing;
  await first.close();
  await new Promise((wake) => setTimeout(wake, 700));
  const second = await Arena.open(async (stream) => {
    const { resume } = await stream.one();
    assert.equal(String(resume.token), "one");
    assert.deepEqual(resume.acks.map(({ match, prompt }) => [match, prompt]), [[1, 1]]);
    stream.send({ welcome: { protocol: 1, resumed: true, resumeToken: Buffer.from("two") } });
    stream.send({ matchStarted: { match: 1, resumed: true } }, prompt(1, 1));
    assert.equal((await stream.until("answer")).answer.number, 1);
    stream.send(DONE);
  }, address);

  const { status, stderr } = await exit;
  await second.close();

  assert.equal(status, 0, stderr);
  const line = /^rivalry: the stream to \S+ was lost, 1 match was open: [^\n]+; trying to resume for 60 s\n/;
  assert.match(stderr, line);
  assert.match(stderr, /\nrivalry: the session is resumed after \d\.\d s\n$/);
});

test("a program that was killed goes on with its session when it is started again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rivalry-"));
  const kept = join(folder, "token");
  let kill: (signal: NodeJS.Signals) => void = () => undefined;
  const killing = new Promise<NodeJS.Signals>((resolve) => (kill = resolve));
  let starts = 0;
  const arena = await Arena.open(async (stream) => {
    starts += 1;
    if (starts === 1) {
      await stream.greet(undefined, { resumeToken: Buffer.from("one") });
      await stream.seat(1);
      kill("SIGKILL");
      while ((await stream.frame()).length > 0);
      return;
    }
    const { resume } = await stream.one();
    assert.equal(String(resume.token), "one");
    stream.send({ welcome: { protocol: 1, resumed: true, resumeToken: Buffer.from("two") } });
    stream.send({ matchStarted: { match: 1, resumed: true, luck: LUCK } }, prompt(1, 4));
    assert.equal((await stream.until("answer")).answer.number, 4);
    stream.send({ matchEnded: { match: 1 } }, DONE);
    assert.equal((await stream.until("ack")).ack.ended, true);
  });
  const args = ["--address", arena.address, "--resume-file", kept];

  await program("../main.js", args, {}, killing);
  const between = existsSync(kept);
  const exit = await program("../main.js", args.slice(0, 2), { RIVALRY_RESUME_FILE: kept });
  await arena.close();
  const after = existsSync(kept);
  rmSync(folder, { recursive: true });

  assert.deepEqual(exit, { status: 0, stdout: "", stderr: "" });
  assert.deepEqual([starts, between, after], [2, true, false]);
});
