import assert from "node:assert/strict";
import { test } from "node:test";

import { First } from "../bots.js";
import { Played } from "./virtual.js";

test("a quiet stream is pinged every 15 seconds, and a ping tells the round trip of the last", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.clock.pass(14_999);
  const before = await played.line.said();
  await played.clock.pass(1);
  const first = await played.line.one();
  await played.clock.pass(20);
  await played.line.send({ pong: { nonce: first.ping.nonce } });
  await played.clock.pass(15_000);
  const second = await played.line.one();

  assert.deepEqual(before, []);
  assert.equal(first.ping.lastRoundTripUs, undefined);
  assert.equal(second.ping.lastRoundTripUs, "20000");
  assert.notEqual(second.ping.nonce, first.ping.nonce);
});

test("a stream on which something comes is not pinged", async () => {
  const played = new Played(First);
  await played.line.greet("token");

  for (let i = 0; i < 20; i += 1) {
    await played.clock.pass(10_000);
    await played.line.send({ drain: { text: "soon" } });
  }

  assert.deepEqual(await played.line.said(), []);
});

test("45 silent seconds of an arena that answers pings are a lost stream, on the next stream too", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.clock.pass(15_000);
  await played.line.send({ pong: { nonce: (await played.line.one()).ping.nonce } });

  await played.clock.pass(44_999);
  const before = played.line.cancelled;
  await played.clock.pass(1);
  const [first] = played.lines;
  const line = await played.again();
  await line.greet("newer", { resumed: true });
  await played.clock.pass(45_000);

  assert.equal(before, false);
  assert.equal(first!.cancelled, true);
  assert.match(played.told[0]!, /^the stream to here was lost: nothing was heard for 45 s \(SILENT\); trying/);
  assert.equal(line.cancelled, true);
});

test("the silence of an arena that never answered a ping means nothing", async () => {
  const played = new Played(First);
  await played.line.greet("token");

  await played.clock.pass(600_000);

  assert.equal(played.line.cancelled, false);
  assert.equal((await played.line.said()).length, 40);
});

test("a bot that held the loop has heard nothing because it did not listen", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.clock.pass(15_000);
  await played.line.send({ pong: { nonce: "1" } });

  await played.clock.hold(90_000);
  const kept = !played.line.cancelled;
  await played.clock.pass(45_000);

  assert.equal(kept, true);
  assert.equal(played.line.cancelled, true);
});

test("nothing is written after the bot has closed its side", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.clock.pass(14_000);

  await played.line.send({ sessionEnded: { reason: "SESSION_END_REASON_DONE" } });
  await played.clock.pass(2_000);

  assert.equal(played.line.cancelled, true);
  assert.equal(played.ended?.status, 0);
  assert.deepEqual(played.clock.waits, []);
});
