import assert from "node:assert/strict";
import { test } from "node:test";

import { picked } from "../bots.js";
import { Stream } from "../chance.js";
import { LUCK } from "./arena.js";

// Every value here is what rivalry_engine.chance and rivalry_engine.playout give.
const SEED = Buffer.from("seed");

test("words are the engine's", () => {
  const empty = new Stream(Buffer.alloc(0), "prompt/1");
  const other = new Stream(LUCK, "prompt/7");

  assert.deepEqual(words(empty, 5), [
    11860902289706984804n,
    12976465498231646431n,
    595244492337710751n,
    17636871768337814558n,
    10824482834828817202n,
  ]);
  assert.deepEqual(words(other, 5), [
    7212248715100718617n,
    5489632832563364342n,
    7324735580404079301n,
    6856960895793694112n,
    10141679173692564272n,
  ]);
});

test("integers below a bound are the engine's", () => {
  const stream = new Stream(SEED, "below");
  const bounds = [1, 2, 3, 10, 52, 1000, 2 ** 31, 2 ** 53 - 1];

  const drawn = bounds.map((bound) => stream.below(bound));

  assert.deepEqual(drawn, [0, 1, 1, 5, 3, 516, 428541136, 3096520503455046]);
});

test("a label is read as UTF-8", () => {
  const stream = new Stream(SEED, "großer Wurf");

  const drawn = Array.from({ length: 10 }, () => stream.below(100));

  assert.deepEqual(drawn, [1, 96, 39, 77, 34, 18, 23, 61, 72, 4]);
});

test("a shuffle is the engine's", () => {
  const items = Array.from({ length: 12 }, (_, index) => index);

  new Stream(SEED, "shuffle").shuffle(items);

  assert.deepEqual(items, [6, 2, 10, 0, 9, 11, 4, 5, 8, 1, 3, 7]);
});

test("samples are the engine's", () => {
  const stream = new Stream(SEED, "sample");

  const drawn = [0, 1, 3, 5, 10].map((count) => stream.sample(10, count));

  assert.deepEqual(drawn, [[], [4], [2, 6, 8], [1, 4, 5, 6, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
});

test("a bound that is none is refused", () => {
  const stream = new Stream(SEED, "below");

  assert.throws(() => stream.below(0), /below\(0\): expected a whole bound/);
  assert.throws(() => stream.below(1.5), RangeError);
  assert.throws(() => stream.sample(2, 3), /expected a count from 0 to 2/);
});

test("random picks what the engine's uniform picks", () => {
  const luck = Buffer.from("aa048da9e537c3e748c22977f89790b0a166e3a0f1477ec3822fb3eba933f39a", "hex");
  const choices = [
    { parts: 0, least: 0, most: 0 },
    { parts: 5, least: 1, most: 5 },
    { parts: 8, least: 0, most: 3 },
    { parts: 0, least: 0, most: 0 },
    { parts: 3, least: 2, most: 2 },
  ];

  const answers = Array.from({ length: 12 }, (_, index) => picked(choices, new Stream(luck, `prompt/${index + 1}`)));

  assert.deepEqual(answers, [
    { index: 0 },
    { index: 2, parts: [4] },
    { index: 0 },
    { index: 0 },
    { index: 2, parts: [0, 5] },
    { index: 3 },
    { index: 2, parts: [1] },
    { index: 0 },
    { index: 1, parts: [0, 2] },
    { index: 1, parts: [0, 1, 2, 3, 4] },
    { index: 1, parts: [3] },
    { index: 2, parts: [2, 3] },
  ]);
});

function words(stream: Stream, count: number): bigint[] {
  return Array.from({ length: count }, () => stream.word());
}
