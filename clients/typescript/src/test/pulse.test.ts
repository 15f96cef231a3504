import assert from "node:assert/strict";
import { test } from "node:test";

import { First } from "../bots.js";
import { Played } from "./virtual.js";

/** A session whose arena has answered one ping. */
async function answering(): Promise<Played> {
  const played = new Played(First);
  await played.line.greet("token");
  await played.line.send({ pong: { nonce: played.line.pinged!.nonce } });
  return played;
}

test("a stream is pinged when it is welcomed and every 15 quiet seconds, with the last round trip", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  const first = played.line.pinged!;
  await played.clock.pass(20);
  await played.line.send({ pong: { nonce: first.nonce } });
  await played.clock.pass(14_999);
  const before = await played.line.said();
  await played.clock.pass(1);
  const second = (await played.line.one()).ping;
  await played.clock.pass(15_000);
  const third = (await played.line.one()).ping;

  assert.deepEqual(before, []);
  assert.deepEqual([first.lastRoundTripUs, second.lastRoundTripUs], [undefined, "20000"]);
  assert.equal(new Set([first.nonce, second.nonce, third.nonce]).size, 3);
});

test("an arena without resume is not pinged at the welcome", async () => {
  const played = new Played(First);
  await played.line.greet("");

  assert.deepEqual(await played.line.said(), []);
});

test("a stream on which something comes is not pinged", async () => {
  const played = await answering();

  for (let i = 0; i < 20; i += 1) {
    await played.clock.pass(10_000);
    await played.line.send({ drain: { text: "soon" } });
  }

  assert.deepEqual(await played.line.said(), []);
});

test("45 silent seconds of an arena that answers pings are a lost stream, on the next stream too", async () => {
  const played = await answering();

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
  const played = await answering();

  await played.clock.hold(90_000);
  const kept = !played.line.cancelled;
  await played.clock.pass(45_000);

  assert.equal(kept, true);
  assert.equal(played.line.cancelled, true);
});

test("nothing is written after the bot has closed its side", async () => {
  const played = await answering();
  await played.clock.pass(14_000);

  played.session.leave("LEAVE_REASON_DONE", "interrupted", { status: 130, text: "" });
  await played.clock.pass(10_000);

  assert.equal(played.line.cancelled, true);
  assert.equal(played.ended?.status, 130);
  assert.deepEqual(played.clock.waits, []);
});
