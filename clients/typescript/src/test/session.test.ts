import assert from "node:assert/strict";
import { test } from "node:test";

import * as grpc from "@grpc/grpc-js";

import type { Answer, Bot, Prompt } from "../bot.js";
import { First } from "../bots.js";
import type { Measured } from "../clock.js";
import type { Outcome } from "../wire.js";
import { DONE, played, prompt } from "./arena.js";

/** A bot that answers with `answer`, whatever that does. */
function bot(answer: (prompt: Prompt) => Answer | Promise<Answer>) {
  return class implements Bot {
    choose(prompt: Prompt): Answer | Promise<Answer> {
      return answer(prompt);
    }
  };
}

test("the hello says who comes, and the token travels as metadata", async () => {
  class Wordy extends First {
    static readonly games = ["kuhn"];
    static readonly features = ["legal_text"];
  }

  const { status, lines } = await played(
    Wordy,
    async (stream) => {
      assert.equal(stream.authorization, "Bearer secret");
      const { hello } = await stream.greet();
      assert.deepEqual(hello.protocol, { least: 1, most: 1 });
      assert.equal(hello.name, "tester");
      assert.equal(hello.version, "0.1.0");
      assert.equal(hello.matches, 3);
      assert.equal(hello.prompts, 3);
      assert.deepEqual(hello.games, ["kuhn"]);
      assert.deepEqual(hello.features, ["legal_text", "resume"]);
      stream.send(DONE);
      assert.deepEqual(await stream.frame(), []);
    },
    { token: "secret", matches: 3 },
  );

  assert.equal(status, 0);
  assert.deepEqual(lines, ["the arena does not have the features legal_text"]);
});

test("a bot that is not quick is asked one prompt at a time", async () => {
  await played(
    bot(() => ({ index: 0 })),
    async (stream) => {
      const { hello } = await stream.greet();
      assert.deepEqual([hello.matches, hello.prompts], [3, 1]);
      stream.send(DONE);
    },
    { matches: 3 },
  );
});

test("a match is played from its offer to its end", async () => {
  const outcome = { seats: [{ seat: 0, score: "2", rank: 1, end: "END_NORMAL" }, { seat: 1, score: "-2", rank: 2 }] };

  const { status, lines, text } = await played(First, async (stream) => {
    await stream.greet();
    stream.send({ seatOffer: { offer: "9007199254740993", game: "anything" } });
    const { seatReply } = await stream.one();
    assert.deepEqual([seatReply.offer, seatReply.accepted], ["9007199254740993", true]);
    const players = [{ seat: 0, name: "tester" }, { seat: 1, name: "other" }];
    stream.send({ matchStarted: { match: 4, matchId: "0123456789abcdef", game: "anything", players } }, prompt(4, 1));
    const { answer } = await stream.one();
    assert.deepEqual([answer.match, answer.number, answer.index, answer.parts], [4, 1, 0, null]);
    stream.send({ matchEnded: { match: 4, outcome } }, DONE);
  });

  assert.deepEqual([status, text], [0, ""]);
  assert.deepEqual(lines, [
    "anything match 01234567 seat 0: against other",
    "anything match 01234567 seat 0: rank 1 of 2, score 2",
  ]);
});

test("a game that the bot does not play is declined", async () => {
  class Chess extends First {
    static readonly games = ["chess"];
  }

  await played(Chess, async (stream) => {
    await stream.greet();
    stream.send({ seatOffer: { offer: "1", game: "kuhn" } });
    const { seatReply } = await stream.one();
    assert.equal(seatReply.accepted, false);
    assert.equal(seatReply.why, "this bot plays chess, not kuhn");
    stream.send(DONE);
  });
});

test("the name of a family stands for all of its games", async () => {
  class Many extends First {
    static readonly games = ["many"];
  }

  await played(Many, async (stream) => {
    await stream.greet();
    const offers = ["many:short", "many", "other:many", "chess"];
    stream.send(...offers.map((game, index) => ({ seatOffer: { offer: String(index + 1), game } })));
    const replies = (await stream.frame()).map(({ seatReply }) => seatReply.accepted);
    assert.deepEqual(replies, [true, true, false, false]);
    stream.send(DONE);
  });
});

test("prompts of one frame are answered in one frame, by bots that await too", async () => {
  for (const answer of [() => ({ index: 1 }), async () => ({ index: 1 })]) {
    await played(bot(answer), async (stream) => {
      await stream.greet();
      await stream.seat(1);
      await stream.seat(2);
      stream.send(prompt(1, 1), prompt(2, 1));
      const answers = await stream.frame();
      assert.deepEqual(answers.map(({ answer }) => [answer.match, answer.index]), [[1, 1], [2, 1]]);
      stream.send(DONE);
    });
  }
});

test("a frame has no more messages and bytes than the arena takes", async () => {
  const note = "n".repeat(100);

  await played(bot(({ match }) => (match.handle === 1 ? { index: 0 } : { index: 0, note })), async (stream) => {
    await stream.greet({ frameMessages: 3, frameBytes: 350 });
    await stream.seat(1);
    stream.send(...[1, 2, 3, 4].map((number) => prompt(1, number)));
    assert.equal((await stream.frame()).length, 3);
    assert.equal((await stream.frame()).length, 1);
    await stream.seat(2);
    stream.send(...[1, 2, 3].map((number) => prompt(2, number)));
    assert.equal((await stream.frame()).length, 2);
    assert.equal((await stream.frame()).length, 1);
    stream.send(DONE);
  });
});

test("parts, text and note travel", async () => {
  const answers: Answer[] = [
    { index: 1, parts: [] },
    { index: 1, parts: [2, 0] },
    { text: "take blue orc", note: "why not" },
  ];

  await played(bot(({ number }) => answers[number - 1]!), async (stream) => {
    await stream.greet();
    await stream.seat(1);
    const said = [];
    for (const number of [1, 2, 3]) {
      stream.send(prompt(1, number));
      said.push((await stream.one()).answer);
    }
    assert.deepEqual(said.map(({ parts }) => parts?.indices), [[], [0, 2], undefined]);
    assert.deepEqual([said[2]!.text, said[2]!.note], ["take blue orc", "why not"]);
    stream.send(DONE);
  });
});

test("a prompt shows its choices, its chance and the payloads", async () => {
  let seen: Prompt | undefined;
  const looks = bot((prompt) => {
    seen = prompt;
    return { index: 0 };
  });

  await played(looks, async (stream) => {
    await stream.greet();
    await stream.seat(1, {
      optionsJson: '{"seats":2}',
      setup: { type_url: "type.googleapis.com/rivalry.games.kuhn.v1.Setup", value: Buffer.from([8, 1]) },
    });
    const url = "type.googleapis.com/";
    const observation = { type_url: `${url}rivalry.games.kuhn.v1.Observation`, value: Buffer.from([8, 3]) };
    const events = { type_url: `${url}nobody.knows.Events`, value: Buffer.from([1]) };
    const shapes = { parts: [0, 3], least: [0, 1], most: [0, 2], usual: [0, 2] };
    const words = { texts: ["pass", "take"], partTexts: ["a", "b", "c"], view: "you hold a king" };
    stream.send(prompt(1, 7, { observation, events, budgetUs: "2000000", ...shapes, ...words }));
    await stream.one();
    stream.send(DONE);
  });

  assert.ok(seen);
  assert.deepEqual(seen.choices, [
    { index: 0, parts: 0, least: 0, most: 0, usual: 0, text: "pass", partTexts: [] },
    { index: 1, parts: 3, least: 1, most: 2, usual: 2, text: "take", partTexts: ["a", "b", "c"] },
  ]);
  assert.equal(seen.view, "you hold a king");
  assert.equal(seen.observation?.["card"], 3);
  assert.equal(seen.match.setup?.["ante"], 1);
  assert.deepEqual(seen.match.options, { seats: 2 });
  assert.equal(seen.events, undefined);
  assert.equal(seen.offered, undefined);
  assert.equal(seen.budgetUs, 2_000_000);
  assert.equal(seen.stream().word(), 7212248715100718617n);
});

test("a match, its prompts and its end show the clocks", async () => {
  const seen: Prompt[] = [];
  const ends: unknown[] = [];
  class Watching extends First {
    override choose(prompt?: Prompt): Answer {
      seen.push(prompt!);
      return { index: 0 };
    }

    ended(outcome: Outcome, last?: Measured): void {
      ends.push(outcome.seats[0], last);
    }
  }
  const last = { number: 1, elapsedUs: "900", networkUs: "300", arenaUs: "200", chargedUs: "400" };
  const spent = { botUs: "400", networkUs: "300", arenaUs: "200", chargedUs: "400" };
  const counts = { decisions: 1, illegal: 2, retries: 3 };
  const seat = { seat: 0, name: "tester", end: "END_CRASH", stoodIn: true, ...counts, spent };

  await played(Watching, async (stream) => {
    await stream.greet();
    await stream.seat(1, { attempt: 2, timeControl: { promptUs: "0", bankUs: "60000000", incrementUs: "1000000" } });
    stream.send(prompt(1, 1));
    await stream.one();
    stream.send(prompt(1, 2, { last, banksUs: ["59000000", "9007199254740991"], strikesLeft: [3, 0] }));
    await stream.one();
    stream.send({ matchEnded: { match: 1, outcome: { seats: [seat], scoreUnit: "2" }, last } }, DONE);
  });

  const numbers = { number: 1, elapsedUs: 900, networkUs: 300, arenaUs: 200, chargedUs: 400 };
  assert.deepEqual(seen[0]!.match.timeControl, {
    promptUs: 0,
    firstPromptUs: undefined,
    softUs: undefined,
    strikes: 0,
    bankUs: 60_000_000,
    incrementUs: 1_000_000,
    marginUs: undefined,
    watchdogUs: undefined,
  });
  assert.deepEqual([seen[0]!.match.attempt, seen[0]!.match.resumed], [2, false]);
  assert.deepEqual([seen[0]!.last, seen[0]!.banksUs, seen[0]!.strikesLeft], [undefined, [], []]);
  assert.deepEqual([seen[1]!.last, seen[1]!.banksUs], [numbers, [59_000_000, 9007199254740991]]);
  assert.deepEqual(seen[1]!.strikesLeft, [3, 0]);
  assert.deepEqual(ends, [{ ...seat, text: "" }, numbers]);
});

test("a prompt without a limit says so", async () => {
  const budgets: (number | undefined)[] = [];
  const looks = bot(({ budgetUs }) => {
    budgets.push(budgetUs);
    return { index: 0 };
  });

  await played(looks, async (stream) => {
    await stream.greet();
    await stream.seat(1);
    stream.send(prompt(1, 1), prompt(1, 2, { budgetUs: "0" }));
    await stream.frame();
    stream.send(DONE);
  });

  assert.deepEqual(budgets, [undefined, 0]);
});

test("a rejected answer is told and the prompt is asked again", async () => {
  const second = bot(({ ruling }) => ({ index: ruling?.code === "hand_full" ? 1 : 0 }));

  const { lines } = await played(second, async (stream) => {
    await stream.greet();
    await stream.seat(1);
    stream.send(prompt(1, 5));
    assert.equal((await stream.one()).answer.index, 0);
    const ruling = { match: 1, number: 5, kind: "RULING_KIND_REJECTED", reason: "RULING_REASON_ILLEGAL" };
    stream.send({ ruling: { ...ruling, code: "hand_full", text: "the hand is full", triesLeft: 1 } });
    const { answer } = await stream.one();
    assert.deepEqual([answer.number, answer.index], [5, 1]);
    stream.send({ ruling: { ...ruling, text: "no", triesLeft: 0 } });
    stream.send({ ruling: { ...ruling, number: 4, kind: "RULING_KIND_STALE", reason: "RULING_REASON_NUMBER" } });
    stream.send({ ping: { nonce: "1" } });
    assert.equal((await stream.one()).message, "pong");
    stream.send(DONE);
  });

  assert.deepEqual(lines.slice(1), [
    "answer rejected (match 1, prompt 5, hand_full): the hand is full; 1 tries left",
    "answer rejected (match 1, prompt 5, illegal): no; 0 tries left",
    "answer stale (match 1, prompt 4, number): ; 0 tries left",
  ]);
});

test("what comes too late is not sent", async () => {
  let think: () => void = () => undefined;
  const late = bot(async () => {
    await new Promise<void>((thought) => (think = thought));
    return { index: 0 };
  });

  await played(late, async (stream) => {
    await stream.greet();
    await stream.seat(1);
    stream.send(prompt(1, 1));
    stream.send({ matchEnded: { match: 1 } }, prompt(1, 2));
    for (const nonce of ["3", "4"]) {
      stream.send({ ping: { nonce } });
      assert.equal((await stream.one()).pong.nonce, nonce);
      think();
    }
    stream.send(DONE);
  });
});

test("a ping is answered, with all 64 bits", async () => {
  await played(First, async (stream) => {
    await stream.greet();
    stream.send({ ping: { nonce: "-9223372036854775807" } });
    const { pong } = await stream.one();
    assert.equal(pong.nonce, "-9223372036854775807");
    stream.send(DONE);
  });
});

test("events that come by themselves are acknowledged", async () => {
  await played(First, async (stream) => {
    await stream.greet();
    stream.send({ events: { match: 1, firstEvent: "9007199254740993", eventCount: 3 } });
    const { ack } = await stream.one();
    assert.deepEqual([ack.match, ack.events], [1, "9007199254740995"]);
    stream.send(DONE);
  });
});

test("an exception of the bot is told to the arena", async () => {
  class OutOfIdeas extends Error {}
  const throws = () => {
    throw new OutOfIdeas("nothing left");
  };

  for (const answer of [throws, async () => throws()]) {
    const { status, text } = await played(bot(answer), async (stream) => {
      await stream.greet();
      await stream.seat(1);
      stream.send(prompt(1, 1));
      const { leave } = await stream.one();
      assert.deepEqual([leave.reason, leave.text], ["LEAVE_REASON_CRASH", "OutOfIdeas: nothing left"]);
      stream.send(prompt(1, 2), DONE);
      assert.deepEqual(await stream.frame(), []);
    });

    assert.equal(status, 1);
    assert.match(text, /^the bot failed: Error: nothing left\n +at /);
  }
});

test("an answer that is none is the bot's failure", async () => {
  for (const [given, said] of [
    [undefined, "undefined"],
    [3, "3"],
    [{ index: 1.5 }, '{"index":1.5}'],
    [{}, "{}"],
  ] as const) {
    const { status } = await played(bot(() => given as unknown as Answer), async (stream) => {
      await stream.greet();
      await stream.seat(1);
      stream.send(prompt(1, 1));
      const { leave } = await stream.one();
      assert.ok(leave.text.startsWith(`TypeError: the bot answered ${said}; expected { index: 0 }`), leave.text);
    });

    assert.equal(status, 1);
  }
});

test("a bot whose constructor fails is a crash", async () => {
  class Broken extends First {
    constructor() {
      super();
      throw new TypeError("no net");
    }
  }

  const { status } = await played(Broken, async (stream) => {
    await stream.greet();
    await stream.seat(1);
    assert.equal((await stream.one()).leave.text, "TypeError: no net");
  });

  assert.equal(status, 1);
});

test("a refusal is one line and status 2", async () => {
  const { status, text } = await played(First, async (stream) => {
    await stream.one();
    const sides = { ours: "protocol 2 to 3", yours: "protocol 1 to 1", remedy: "take a newer client" };
    stream.send({ refused: { reason: "REFUSAL_REASON_VERSION", ...sides } });
  });

  assert.equal(status, 2);
  assert.equal(
    text,
    "the arena refused this bot (version): the arena speaks protocol 2 to 3, this bot protocol 1 to 1;" +
      " take a newer client",
  );
});

test("a refusal of the version names both ranges and a remedy, also where the arena left them out", async () => {
  const { text } = await played(First, async (stream) => {
    await stream.one();
    stream.send({ refused: { reason: "REFUSAL_REASON_VERSION", ours: "protocol 2 to 3" } });
  });

  assert.match(text, /the arena speaks protocol 2 to 3, this bot protocol 1 to 1; use a client of a version that /);
});

test("a version that was not offered is not spoken", async () => {
  const { status, text } = await played(First, async (stream) => {
    await stream.one();
    stream.send({ welcome: { protocol: 2 } });
    assert.equal((await stream.one()).message, "leave");
  });

  assert.equal(status, 2);
  assert.match(text, /^the arena answered in protocol 2, this bot speaks protocol 1 to 1; use a client of a version/);
});

test("a stream that breaks is told apart from one that never was", async () => {
  const token = await played(First, async (stream) => {
    stream.end({ code: grpc.status.UNAUTHENTICATED, details: "unknown token" });
  });
  const never = await played(First, async (stream) => {
    stream.end({ code: grpc.status.UNAVAILABLE, details: "busy" });
  });
  const lost = await played(First, async (stream) => {
    await stream.greet();
    await stream.seat(1);
    stream.end({ code: grpc.status.INTERNAL, details: "power" });
  });

  assert.equal(token.status, 2);
  assert.match(token.text, /refused the token: unknown token; give another with --token$/);
  assert.equal(never.status, 2);
  assert.match(never.text, /^no arena at 127\.0\.0\.1:\d+: busy; start an arena/);
  assert.equal(lost.status, 1);
  assert.match(lost.text, /was lost, 1 match was open: power \(INTERNAL\)$/);
});

test("drain, redirect and the reasons of an end are told", async () => {
  const moved = await played(First, async (stream) => {
    await stream.greet();
    stream.send({ drain: { remainingUs: "1", text: "closing at six" } });
    stream.send({ redirect: { target: "other:7", text: "rebalanced" } });
    await stream.frame();
  });
  const slow = await played(First, async (stream) => {
    await stream.greet();
    stream.send({ sessionEnded: { reason: "SESSION_END_REASON_SLOW_READER", text: "10 s", remedy: "read" } });
  });
  const shut = await played(First, async (stream) => {
    await stream.greet();
    stream.send({ sessionEnded: { reason: "SESSION_END_REASON_SHUTDOWN", text: "bye" } });
  });

  assert.deepEqual(moved.lines, ["the arena takes no new matches: closing at six"]);
  assert.equal(moved.text, "the arena moved this session (rebalanced): start the bot again with --address other:7");
  assert.deepEqual([slow.status, slow.text], [1, "the arena ended the session (slow reader): 10 s; read"]);
  assert.deepEqual([shut.status, shut.text], [0, "the arena ended the session (shutdown): bye"]);
});
