/** When a lost stream is dialled again, for how long, and when it is the end. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { First } from "../bots.js";
import { BackOff } from "../resume.js";
import { prompt } from "./arena.js";
import { pondering, started } from "./pondering.js";
import { Clock, Played } from "./virtual.js";

test("waits double from 0.1 to 5 seconds, are shortened at random, and end with the patience", () => {
  const clock = new Clock();
  const steady = new BackOff(60_000, clock, () => 0);
  const random = new BackOff(60_000, clock, () => 0.5);
  const short = new BackOff(250, clock, () => 0);

  assert.deepEqual(
    Array.from({ length: 8 }, () => steady.next()),
    [100, 200, 400, 800, 1600, 3200, 5000, 5000],
  );
  assert.deepEqual([random.next(), random.next()], [75, 150]);
  assert.deepEqual([short.next(), short.next(), short.next()], [100, 200, 250]);
  assert.equal(short.attempt(20_000), 1_000);
});

test("waits begin anew after a stream that stood for 5 seconds, and go on after one that did not", async () => {
  const clock = new Clock();
  const backOff = new BackOff(60_000, clock, () => 0);
  const first = [backOff.next(), backOff.next()];

  backOff.back();
  await clock.pass(4_999);
  const second = backOff.next();
  backOff.back();
  await clock.pass(5_000);

  assert.deepEqual([...first, second, backOff.next()], [100, 200, 400, 100]);
});

test("a lost stream is dialled again and the session goes on with the same bot", async () => {
  const { bot, made, asked, answer } = pondering();
  const played = new Played(bot);
  const { hello } = await played.line.greet("first");
  await played.line.send(started(1), prompt(1, 1, { firstEvent: "1", eventCount: 3 }));
  await answer(1);
  await played.line.send(prompt(1, 2, { firstEvent: "4", eventCount: 2 }));

  await played.line.cut();
  await played.clock.pass(99);
  assert.equal(played.lines.length, 1);
  await played.clock.pass(1);
  const { resume } = await played.line.greet("second", { resumed: true });
  await played.line.send(started(1, { resumed: true }), prompt(1, 2));
  await answer(0);
  const said = await played.line.one();

  assert.deepEqual(hello.features, ["resume"]);
  assert.equal(played.lines.length, 2);
  assert.equal(String(resume.token), "first");
  assert.deepEqual(resume.protocol, { least: 1, most: 1 });
  assert.deepEqual(resume.acks, [{ match: 1, events: "5", prompt: 2, ended: false }]);
  assert.deepEqual([said.answer.number, said.answer.index], [2, 0]);
  assert.deepEqual([made.length, asked.length], [1, 2]);
  assert.deepEqual(played.told, [
    "the stream to here was lost, 1 match was open: cut (UNAVAILABLE); trying to resume for 60 s",
    "the session is resumed after 0.1 s",
  ]);
});

test("each resume shows the newest token", async () => {
  const played = new Played(First);
  const shown: string[] = [];

  await played.line.greet("token 0");
  for (const next of ["token 1", "token 2", "token 3"]) {
    await played.line.cut();
    const line = await played.again();
    shown.push(String((await line.greet(next, { resumed: true })).resume.token));
  }

  assert.deepEqual(shown, ["token 0", "token 1", "token 2"]);
});

test("nobody there is tried again until patience is at its end", async () => {
  const played = new Played(First, { patienceMs: 3_000 });
  await played.line.greet("token");

  played.deserted = true;
  await played.line.cut();
  await played.clock.pass(2_999);
  const before = played.ended;
  await played.clock.pass(1);

  assert.equal(before, undefined);
  assert.equal(played.ended?.status, 1);
  assert.equal(played.ended?.text, "the stream to here was lost: nobody (UNAVAILABLE); gave up after 3 s");
  assert.equal(played.lines.length, 1 + 5); // at 0.1, 0.3, 0.7, 1.5 and 3 s
  assert.equal(played.told.length, 1);
});

test("an arena that takes the call and says nothing is tried again", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.line.cut();

  const silent = await played.again();
  await played.clock.pass(20_000);
  const next = await played.again();
  await next.greet("newer", { resumed: true });

  assert.equal(silent.cancelled, true);
  assert.notEqual(next, silent);
  assert.equal(played.told.length, 2);
});

test("without patience or without a token nothing is resumed", async () => {
  const impatient = new Played(First, { patienceMs: 0 });
  const { hello } = await impatient.line.greet("token");
  await impatient.line.cut();
  const tokenless = new Played(First);
  await tokenless.line.greet("");
  await tokenless.line.cut();

  assert.deepEqual(hello.features, []);
  assert.equal(impatient.ended?.text, "the stream to here was lost: cut (UNAVAILABLE)");
  assert.equal(tokenless.ended?.status, 1);
  assert.deepEqual([...impatient.clock.waits, ...tokenless.clock.waits], []);
});

test("a token that the arena does not take is not tried again", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.line.cut();

  const line = await played.again();
  await line.cut("UNAUTHENTICATED", "revoked");

  assert.deepEqual(played.ended, {
    status: 1,
    text: "the arena at here refused the token: revoked; give another with --token",
  });
});

test("a resume that the arena did not hear is said again", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.line.cut("UNAVAILABLE", "pulled");
  const line = await played.again();
  await line.send({ sessionEnded: { reason: "SESSION_END_REASON_SILENT", text: "no hello in 10 s" } });

  const { resume } = await (await played.again()).one();
  assert.equal(String(resume.token), "token");
});

test("a restart of the arena is a loss, every other end is one", async () => {
  const end = (reason: string): object => ({ sessionEnded: { reason: `SESSION_END_REASON_${reason}`, text: "so" } });
  const restarted = new Played(First);
  await restarted.line.greet("token");
  await restarted.line.send(end("RESTART"));
  const { resume } = await (await restarted.again()).one();
  assert.equal(String(resume.token), "token");
  assert.match(restarted.told[0]!, /^the stream to here was lost: so \(RESTART\); trying/);
  assert.equal(restarted.lines[0]!.closed, true);

  for (const reason of ["REPLACED", "SHUTDOWN", "DONE", "LEFT", "REVOKED"]) {
    const played = new Played(First);
    await played.line.greet("token");
    await played.line.send(end(reason));
    await played.line.cut("OK", "");
    await played.clock.pass(60_000);
    assert.equal(played.lines.length, 1, reason);
    assert.ok(played.ended, reason);
  }
});

test("a session that the arena does not know is over when a match was open, else a new one begins", async () => {
  const refused = { reason: "REFUSAL_REASON_RESUME", ours: "no such session", remedy: "begin with hello" };
  const open = new Played(First);
  await open.line.greet("token");
  await open.line.send(started(1));
  await open.line.cut();
  await (await open.again()).send({ refused });
  await open.line.cut("OK", "");
  const idle = new Played(First);
  await idle.line.greet("token");
  await idle.line.cut();
  await (await idle.again()).send({ refused });
  const { hello } = await idle.line.greet("other");

  assert.deepEqual(open.ended, {
    status: 1,
    text:
      "the session is over, 1 match was open: the arena refused this bot (resume): no such session; begin with hello",
  });
  assert.equal(hello.name, "tester");
  assert.equal(idle.lines.length, 3);
  assert.equal(idle.ended, undefined);
});

for (const reason of ["REFUSAL_REASON_BUSY", "REFUSAL_REASON_LIMIT", "REFUSAL_REASON_DRAINING"]) {
  test(`an arena that refuses a resume for now (${reason}) is asked again later`, async () => {
    const played = new Played(First);
    await played.line.greet("token");
    await played.line.cut();

    const busy = await played.again();
    await busy.send({ refused: { reason, ours: "full" } });
    const { resume } = await (await played.again()).one();

    assert.equal(String(resume.token), "token");
    assert.notEqual(played.line, busy);
    assert.equal(played.ended, undefined);
  });
}

test("a bot that leaves while there is no stream is gone at once", async () => {
  const played = new Played(First);
  await played.line.greet("token");
  await played.line.cut();

  played.session.leave("LEAVE_REASON_DONE", "interrupted", { status: 130, text: "" });
  await played.clock.pass(60_000);

  assert.deepEqual(played.ended, { status: 130, text: "" });
  assert.equal(played.lines.length, 1);
});
