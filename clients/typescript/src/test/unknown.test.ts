/** What a later version of the arena may send: values, kinds and fields that are not known here. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { First } from "../bots.js";
import { DONE, played, prompt, schema } from "./arena.js";

test("the value 999 of every enum is survived", async () => {
  const seats = [{ seat: 0, score: "1", rank: 1, end: 999 }];

  const { status, text, lines } = await played(First, async (stream) => {
    await stream.greet();
    stream.send({ seatOffer: { offer: "1", game: "kuhn", policies: { onIllegal: 999 } } });
    await stream.one();
    stream.send({ matchStarted: { match: 1, matchId: "00", game: "kuhn", policies: { onCrash: 999 } } }, prompt(1, 1));
    await stream.one();
    stream.send({ ruling: { match: 1, number: 1, kind: 999, reason: 999, text: "new", triesLeft: 1 } });
    stream.send({ matchEnded: { match: 1, outcome: { seats } } });
    stream.send({ sessionEnded: { reason: 999, text: "new" } });
  });
  const refused = await played(First, async (stream) => {
    await stream.one();
    stream.send({ refused: { reason: 999, ours: "a", yours: "b", remedy: "c" } });
  });

  assert.deepEqual([status, text], [1, "the arena ended the session (999): new"]);
  assert.equal(lines[1], "answer 999 (match 1, prompt 1, 999): new; 1 tries left");
  assert.equal(lines[2], "kuhn match 00 seat 0: rank 1 of 1, score 1, 999");
  assert.deepEqual([refused.status, refused.text], [2, "the arena refused this bot (999): a; b; c"]);
});

test("kinds of messages that are not known are passed over, alone and beside others", async () => {
  const { status } = await played(First, async (stream) => {
    await stream.greet();
    stream.raw(field(1, field(900, Buffer.from("later"))));
    stream.raw(field(1, Buffer.alloc(0)));
    stream.raw(Buffer.concat([field(1, field(900, Buffer.from("later"))), message({ ping: { nonce: "5" } })]));
    assert.equal((await stream.one()).pong.nonce, "5");
    stream.send(DONE);
  });

  assert.equal(status, 0);
});

test("fields that are not known are passed over in every message", async () => {
  const more = field(901, Buffer.from("later"));
  const kinds = [
    ["Welcome", 1, { protocol: 1 }],
    ["SeatOffer", 3, { offer: "1", game: "kuhn" }],
    ["MatchStarted", 4, { match: 1, game: "kuhn" }],
    ["Prompt", 5, { match: 1, number: 1, parts: [0] }],
    ["Ruling", 6, { match: 1, number: 1, kind: "RULING_KIND_STALE" }],
    ["Events", 7, { match: 1, firstEvent: "1", eventCount: 1 }],
    ["MatchEnded", 8, { match: 1 }],
    ["Ping", 9, { nonce: "6" }],
    ["Drain", 10, {}],
    ["SessionEnded", 12, { reason: "SESSION_END_REASON_DONE" }],
  ] as const;

  const { status } = await played(First, async (stream) => {
    await stream.one();
    for (const [kind, number, fields] of kinds) {
      const inner = Buffer.concat([bytes(`rivalry.arena.v1.${kind}`, fields), more]);
      stream.raw(Buffer.concat([field(1, Buffer.concat([field(number, inner), more])), more]));
    }
    const said = [];
    for (let frame = await stream.frame(); frame.length > 0; frame = await stream.frame()) {
      said.push(...frame.map((message) => message.message));
    }
    assert.deepEqual(said.sort(), ["ack", "ack", "answer", "pong", "seatReply"]);
  });

  assert.equal(status, 0);
});

test("a match, a prompt and an outcome that make no sense are survived", async () => {
  const { status } = await played(First, async (stream) => {
    await stream.greet();
    stream.send(prompt(77, 1), { ruling: { match: 77, number: 1 } }, { matchEnded: { match: 77 } });
    await stream.seat(1);
    stream.send(prompt(1, 1, { parts: [], least: [4], texts: ["x"] }));
    await stream.one();
    stream.send({ matchEnded: { match: 1, outcome: { seats: [] } } }, DONE);
  });

  assert.equal(status, 0);
});

function bytes(type: string, fields: object): Buffer {
  const { serialize } = schema.definition[type] as unknown as { serialize: (value: object) => Buffer };
  return serialize(fields);
}

/** A frame that holds one message. */
function message(fields: object): Buffer {
  return field(1, bytes("rivalry.arena.v1.FromArena", fields));
}

/** A field with a length before it. */
function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}

function varint(value: number): Buffer {
  const out = [];
  while (value > 127) {
    out.push((value % 128) + 128);
    value = Math.floor(value / 128);
  }
  return Buffer.from([...out, value]);
}
