/** How a program plays and ends: bots that fail or hang on, Ctrl-C, an arena or a program that goes and comes back. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import * as grpc from "@grpc/grpc-js";

import { Arena, DONE, LUCK, prompt } from "./arena.js";
import { against, program } from "./program.js";

test("a pong leaves before a bot thinks, even one that holds the loop", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rivalry-"));
  const heard = join(folder, "heard");
  const exit = await against(
    async (stream) => {
      await stream.greet();
      await stream.seat(1);
      stream.send(prompt(1, 1), { ping: { nonce: "8" } });
      assert.equal((await stream.one()).pong.nonce, "8");
      writeFileSync(heard, "");
      assert.equal((await stream.one()).answer.index, 0);
      stream.send(DONE);
    },
    ["--bot", "Slow"],
    "./odd_bots.js",
    { SLOW_UNTIL: heard },
  );
  rmSync(folder, { recursive: true });

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
  const folder = mkdtempSync(join(tmpdir(), "rivalry-"));
  const first = await Arena.open(async (stream) => {
    await stream.greet(undefined, { resumeToken: Buffer.from("one") });
    await stream.seat(1);
    stream.send(prompt(1, 1));
    await stream.until("answer");
    lost(first.address);
    stream.end({ code: grpc.status.UNAVAILABLE, details: "going down" });
  }, `unix:${folder}/arena`); // nobody else takes this address meanwhile
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
  rmSync(folder, { recursive: true });

  assert.equal(status, 0, stderr);
  const line = /^rivalry: the stream to \S+ was lost, 1 match was open: [^\n]+; trying to resume for 60 s\n/;
  assert.match(stderr, line);
  assert.match(stderr, /\nrivalry: the session is resumed after \d+\.\d s\n$/);
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
