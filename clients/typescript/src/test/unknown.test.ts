/** What a later version of the arena may send: values, kinds and fields that are not known here. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { First } from "../bots.js";
import { DONE, played, prompt, schema } from "./arena.js";

/** What proto-loader tells of a field, and of a message. */
interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly typeName: string;
}

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

const KINDS = fields("FromArena");
const LAST = ["refused", "redirect", "sessionEnded"];

test("in every kind of message unknown fields and the value 999 of every enum are passed over", async () => {
  const { status, text } = await played(First, async (stream) => {
    await stream.greet();
    await stream.seat(1);
    for (const kind of KINDS.filter(({ name }) => !LAST.includes(name))) {
      stream.raw(field(1, Buffer.concat([field(kind.number, later(kind.typeName)), MORE])));
    }
    stream.send({ ping: { nonce: "77" } });
    const said = [];
    for (let frame = await stream.frame(); frame.length > 0; frame = await stream.frame()) {
      said.push(...frame);
      if (frame.some(({ pong }) => pong?.nonce === "77")) {
        stream.send(DONE);
      }
    }
    const counted = said.map(({ message }) => message).filter((message) => message !== "ping");
    assert.deepEqual(counted.sort(), ["ack", "ack", "answer", "pong", "pong", "seatReply"]);
  });

  assert.deepEqual([status, text], [0, ""]);
});

test("the last messages of an arena are understood with unknown fields and values too", async () => {
  for (const kind of KINDS.filter(({ name }) => LAST.includes(name))) {
    const { status, text } = await played(First, async (stream) => {
      await stream.one();
      stream.raw(Buffer.concat([field(1, Buffer.concat([field(kind.number, later(kind.typeName)), MORE])), MORE]));
    });

    assert.ok(status === 1 || status === 2, kind.name);
    assert.match(text, kind.name === "redirect" ? /--address x$/ : /\(999\): x; x/, kind.name);
  }
});

test("every kind of message is among those that were tried", () => {
  assert.ok(KINDS.length >= 13);
  assert.ok(LAST.every((last) => KINDS.some(({ name }) => name === last)));
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

const MORE = field(901, Buffer.from("later"));

/** The fields of a message of the arena's schema, named as in a field or without a package. */
function fields(name: string): readonly Field[] {
  const message = schema.definition[`rivalry.arena.v1.${name.slice(name.lastIndexOf(".") + 1)}`];
  return (message as unknown as { readonly type: { readonly field: readonly Field[] } }).type.field;
}

/** The bytes of a message with all fields: 999 for an enum, 1 for a number, x for text; and one that is unknown. */
function later(name: string): Buffer {
  const values = fields(name).map(({ number, type, typeName }) => {
    switch (type) {
      case "TYPE_MESSAGE":
        return field(number, typeName.endsWith("Any") ? Buffer.alloc(0) : later(typeName));
      case "TYPE_STRING":
      case "TYPE_BYTES":
        return field(number, Buffer.from("x"));
      case "TYPE_ENUM":
        return Buffer.concat([varint(number * 8), varint(999)]);
      default:
        return Buffer.concat([varint(number * 8), varint(1)]);
    }
  });
  return Buffer.concat([...values, MORE]);
}

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
