import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { First } from "../bots.js";
import { KeptFile } from "../keep.js";
import { DONE } from "./arena.js";
import { Played } from "./virtual.js";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rivalry-"));
  path = join(folder, "token");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a token is kept for its owner alone and replaced as a whole", () => {
  const keep = new KeptFile(path);
  writeFileSync(path, "00\n", { mode: 0o644 });

  keep.write(Buffer.from([1, 254]));

  assert.equal(readFileSync(path, "utf8"), "01fe\n");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ["token"]);
  assert.deepEqual([...keep.read()], [1, 254]);
});

test("no file is no token, and another's file is not touched", () => {
  const keep = new KeptFile(path);
  assert.equal(keep.read().length, 0);
  writeFileSync(path, "my notes\n");

  assert.throws(() => keep.read(), /holds something else than a resume token/);
  assert.throws(() => new KeptFile(join(folder, "nowhere", "token")).read(), /ENOENT/);
});

test("a token that cannot be written leaves nothing behind", () => {
  mkdirSync(path);

  assert.throws(() => new KeptFile(path).write(Buffer.from("token")));
  assert.deepEqual(readdirSync(folder), ["token"]);
});

test("only the token of the session that is over is removed", () => {
  const keep = new KeptFile(path);
  keep.write(Buffer.from("newer"));

  keep.remove(Buffer.from("older"));
  const kept = existsSync(path);
  keep.remove(Buffer.from("newer"));

  assert.deepEqual([kept, existsSync(path)], [true, false]);
});

test("the newest token is kept while the session goes on, and removed when it is over", async () => {
  const keep = new KeptFile(path);
  const played = new Played(First, { keep });
  await played.line.greet("first");
  const first = String(keep.read());
  await played.line.cut();
  await (await played.again()).greet("second", { resumed: true });
  const second = String(keep.read());

  await played.line.send(DONE);

  assert.deepEqual([first, second], ["first", "second"]);
  assert.equal(existsSync(path), false);
});

test("a token that was kept is tried again where the arena refuses it for now", async () => {
  const keep = new KeptFile(path);
  keep.write(Buffer.from("kept"));
  const played = new Played(First, { keep });

  await played.line.send({ refused: { reason: "REFUSAL_REASON_LIMIT", ours: "often", remedy: "try again in 2 s" } });
  const { resume } = await (await played.again()).one();

  assert.equal(String(resume.token), "kept");
  assert.equal(played.ended, undefined);
});

test("a token that was kept is resumed with, and a hello is said where the arena refuses it", async () => {
  const keep = new KeptFile(path);
  keep.write(Buffer.from("kept"));
  const played = new Played(First, { keep });

  const { resume } = await played.line.one();
  await played.line.send({ refused: { reason: "REFUSAL_REASON_RESUME", ours: "unknown" } });
  const removed = !existsSync(path);
  const { hello } = await played.line.greet("new");

  assert.deepEqual([String(resume.token), resume.acks], ["kept", []]);
  assert.equal(removed, true);
  assert.equal(hello.name, "tester");
  assert.equal(String(keep.read()), "new");
  assert.deepEqual(played.told, []);
});

test("who leaves without a stream, or gives up, may still come back for the session", async () => {
  const keep = new KeptFile(path);
  const leaving = new Played(First, { keep });
  await leaving.line.greet("kept");
  await leaving.line.cut();
  leaving.session.leave("LEAVE_REASON_DONE", "interrupted", { status: 130, text: "" });
  const left = String(keep.read());
  const waiting = new Played(First, { keep, patienceMs: 1_000 });
  waiting.deserted = true;
  await waiting.line.cut();
  await waiting.clock.pass(1_000);

  assert.equal(left, "kept");
  assert.match(waiting.ended!.text, /^no arena at here: nobody; .*; gave up after 1 s$/);
  assert.equal(waiting.ended!.status, 2);
  assert.equal(String(keep.read()), "kept");
});

test("a file that fails while the session goes on is told and does not end it", async () => {
  const played = new Played(First, { keep: new KeptFile(path) });
  mkdirSync(path);
  await played.line.greet("token");

  assert.equal(played.ended, undefined);
  assert.match(played.told[0]!, /^the resume token cannot be kept: /);
});
