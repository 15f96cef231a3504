/** What a resumed session goes on with: matches, prompts, answers, rulings, events and ends. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Answer, Bot, BotClass } from "../bot.js";
import { First } from "../bots.js";
import { DONE, prompt } from "./arena.js";
import { pondering, started } from "./pondering.js";
import { type Line, Played, settled } from "./virtual.js";

function rejected(match: number, number: number, triesLeft: number): object {
  const reason = "RULING_REASON_ILLEGAL";
  return { ruling: { match, number, kind: "RULING_KIND_REJECTED", reason, text: "no", triesLeft } };
}

/** The messages of a resumed session, up to the open prompt. */
async function resumed(line: Line, ...more: object[]): Promise<void> {
  await line.greet("newer", { resumed: true });
  await line.send(started(1, { resumed: true }), ...more);
}

test("an answer that is found while there is no stream is sent when its prompt is still open", async () => {
  const { bot, asked, answer } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 1));
  await played.line.cut();

  await answer(1);
  const line = await played.again();
  await line.greet("newer", { resumed: true });
  await line.send(started(1, { resumed: true }));
  const before = await line.said();
  await line.send(prompt(1, 1));
  const after = await line.one();

  assert.deepEqual(before, []);
  assert.deepEqual([after.answer.number, after.answer.index], [1, 1]);
  assert.equal(asked.length, 1);
});

test("an answer that is found after the resume and before the prompt came again is sent once", async () => {
  const { bot, answer } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 1));
  await played.line.cut();

  const line = await played.again();
  await resumed(line);
  await answer(1);
  await line.send(prompt(1, 1));

  assert.equal((await line.one()).answer.index, 1);
});

test("what is answered at any moment of a resume is sent once its prompt is told again, match by match", async () => {
  const MOMENTS = ["away", "dialled", "resumed", "welcomed", "started"];
  for (const moment of MOMENTS) {
    for (const lostAgain of [false, true]) {
      const { bot, asked, answer } = pondering();
      const played = new Played(bot);
      /** Both thoughts end here, if this is the moment; nothing is said of them. */
      const passes = async (now: string): Promise<void> => {
        if (now === moment && asked.length === 2) {
          await answer(1);
          await answer(0);
          asked.length = 0;
        }
      };
      const quiet = async (line: Line): Promise<void> => {
        const said = (await line.said()).filter(({ message }) => message !== "ping" && message !== "resume");
        assert.deepEqual(said, [], moment);
      };
      await played.line.greet("token");
      await played.line.send(started(1), started(2), prompt(1, 1), prompt(2, 1));

      for (let time = 0; time <= Number(lostAgain); time += 1) {
        await played.line.cut();
        await passes("away");
        await played.again(() => void passes("dialled"));
        await passes("resumed");
        await quiet(played.line);
        await played.line.send({ welcome: { protocol: 1, resumeToken: Buffer.from("newer"), resumed: true } });
        await passes("welcomed");
        await quiet(played.line);
        await played.line.send(started(1, { resumed: true }), started(2, { resumed: true }));
        await passes("started");
        await quiet(played.line);
      }
      await played.line.send(prompt(2, 1));
      const second = await played.line.one();
      await played.line.send(prompt(1, 1));
      const first = await played.line.one();

      assert.deepEqual([second.answer.match, second.answer.index], [2, 0], moment);
      assert.deepEqual([first.answer.match, first.answer.index], [1, 1], moment);
      assert.equal(asked.length, 0, moment);
    }
  }
});

test("nothing leaves under a handle that was replaced, whenever it was thought", async () => {
  for (const moment of ["resumed", "welcomed"]) {
    const { bot, asked, answer } = pondering();
    const played = new Played(bot);
    await played.line.greet("token");
    await played.line.send(started(1), prompt(1, 1));
    await played.line.cut();

    const line = await played.again();
    if (moment === "resumed") {
      await answer(1);
    }
    await line.greet("newer", { resumed: true });
    if (moment === "welcomed") {
      await answer(1);
    }
    await line.send(started(2, { resumed: true, replaces: 1 }));
    const before = await line.said();
    await line.send(prompt(2, 1));
    await answer(0);
    const said = await line.one();

    assert.deepEqual(before, [], moment);
    assert.deepEqual([said.answer.match, said.answer.index, asked.length], [2, 0, 2], moment);
  }
});

test("an answer that was ruled stale is sent again where its prompt is told again", async () => {
  const { bot, asked, answer } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 1));
  await answer(1);
  await played.line.one();

  const stale = { match: 1, number: 1, kind: "RULING_KIND_STALE", reason: "RULING_REASON_NUMBER" };
  await played.line.send({ ruling: stale });
  await played.line.send(prompt(1, 1));

  assert.deepEqual([(await played.line.one()).answer.index, asked.length], [1, 1]);
});

test("a crash is told over another stream where this one is lost, if that comes about soon", async () => {
  const failing = (): { bot: BotClass; fail: () => Promise<void> } => {
    let fail: (error: Error) => void = () => undefined;
    class Failing implements Bot {
      choose(): Promise<Answer> {
        return new Promise((_, failed) => (fail = failed));
      }
    }
    return {
      bot: Failing,
      fail: async () => {
        fail(new Error("no plan"));
        await settled();
      },
    };
  };
  for (const moment of ["before the cut", "away", "dialled"]) {
    const { bot, fail } = failing();
    const played = new Played(bot);
    await played.line.greet("token");
    await played.line.send(started(1), prompt(1, 1));

    if (moment === "before the cut") {
      await fail();
    }
    await played.line.cut();
    if (moment === "away") {
      await fail();
    }
    await played.clock.pass(100);
    if (moment === "dialled") {
      await fail();
    }
    const said = await played.line.said();
    const before = played.ended;
    await played.line.cut("OK", "");

    assert.equal(played.lines.length, 2, moment);
    assert.deepEqual(said.map(({ message }) => message), ["resume", "leave"], moment);
    assert.deepEqual([said[1]!.leave.reason, said[1]!.leave.text], ["LEAVE_REASON_CRASH", "Error: no plan"], moment);
    assert.deepEqual([before, played.ended?.status], [undefined, 1], moment);
    assert.deepEqual(played.clock.waits.filter((wait) => wait > 2_000), [], moment);
  }
  for (const moment of ["before the cut", "away"]) {
    const { bot, fail } = failing();
    const played = new Played(bot);
    await played.line.greet("token");
    await played.line.send(started(1), prompt(1, 1));
    played.deserted = true;

    if (moment === "before the cut") {
      await fail();
    }
    await played.line.cut();
    if (moment === "away") {
      await fail();
    }
    await played.clock.pass(2_000);

    assert.equal(played.ended?.status, 1, moment);
    assert.match(played.ended?.text ?? "", /^the bot failed: Error: no plan/, moment);
  }
});

test("a ruling that crosses the end of its match is nothing to tell", async () => {
  const over = { number: 1, kind: "RULING_KIND_STALE", reason: "RULING_REASON_OVER", text: "over" };
  const played = new Played(First);
  await played.line.greet("token");

  await played.line.send(started(1), prompt(1, 1));
  await played.line.send({ matchEnded: { match: 1 } }, { ruling: { match: 1, ...over } });
  const crossed = [...played.told];
  await played.line.send(started(2), prompt(2, 1));
  await played.line.send({ ruling: { match: 2, ...over } });

  assert.deepEqual(crossed, []);
  assert.deepEqual(played.told.length, 1);
});

test("a prompt that waits behind a pong when its stream is lost is not asked until it comes again", async () => {
  const { bot, asked } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1));

  void played.line.send({ ping: { nonce: "1" } }, prompt(1, 1));
  await played.line.cut();
  const before = asked.length;
  await resumed(await played.again(), prompt(1, 1));

  assert.deepEqual([before, asked.length], [0, 1]);
});

test("an answer whose prompt has been closed is not sent", async () => {
  const { bot, asked, answer } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 1));
  await played.line.cut();

  await answer(1);
  const line = await played.again();
  await resumed(line, prompt(1, 2));
  const silence = await line.said();
  await answer(0);

  assert.deepEqual(silence, []);
  assert.deepEqual((await line.one()).answer.number, 2);
  assert.deepEqual(asked.map(({ number }) => number), [1, 2]);
});

test("an answer that may have been lost is sent again, and the bot is not asked again", async () => {
  const { bot, asked, answer } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 1));
  await answer(1);
  await played.line.said();
  await played.line.cut();

  const line = await played.again();
  await resumed(line, prompt(1, 1));

  assert.deepEqual([(await line.one()).answer.index, asked.length], [1, 1]);
});

test("a rejected answer is not sent again; its ruling comes before the prompt or after it", async () => {
  for (const order of ["ruling first", "prompt first", "one frame"]) {
    const { bot, asked, answer } = pondering();
    const played = new Played(bot);
    await played.line.greet("token");
    await played.line.send(started(1), prompt(1, 1, { triesLeft: 3 }));
    await answer(1);
    await played.line.cut();

    const line = await played.again();
    await resumed(line);
    const ruling = rejected(1, 1, 2);
    const question = prompt(1, 1, { triesLeft: 2 });
    if (order === "one frame") {
      await line.send(ruling, question);
    } else {
      await line.send(order === "ruling first" ? ruling : question);
      await line.send(order === "ruling first" ? question : ruling);
    }
    assert.deepEqual(await line.said(), [], order);
    assert.deepEqual(asked.map(({ ruling }) => ruling?.triesLeft), [undefined, 2], order);
    await answer(0);
    assert.equal((await line.one()).answer.index, 0, order);
  }
});

test("a ruling that the bot has had is not taken again", async () => {
  for (const answered of [false, true]) {
    const { bot, asked, answer } = pondering();
    const played = new Played(bot);
    await played.line.greet("token");
    await played.line.send(started(1), prompt(1, 1, { triesLeft: 3 }));
    await answer(1);
    await played.line.send(rejected(1, 1, 2));
    if (answered) {
      await answer(0);
    }
    await played.line.cut();

    const line = await played.again();
    await resumed(line, rejected(1, 1, 2), prompt(1, 1, { triesLeft: 2 }));

    assert.deepEqual((await line.said()).map(({ answer }) => answer.index), answered ? [0] : []);
    assert.equal(asked.length, 2);
    assert.equal(played.told.filter((line) => line.startsWith("answer rejected")).length, 1);
  }
});

test("a match that goes on under another handle keeps its bot and drops what was thought", async () => {
  const { bot, made, asked, answer } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 7, { firstEvent: "1", eventCount: 30 }));
  await played.line.send({ events: { match: 1, firstEvent: "31", eventCount: 4 } });
  await played.line.cut();

  const line = await played.again();
  await line.greet("newer", { resumed: true });
  await line.send(started(2, { resumed: true, replaces: 1 }), prompt(2, 5, { firstEvent: "1", eventCount: 20 }));
  await answer(0);
  const stale = await line.said();
  await answer(1);
  const said = await line.one();
  await line.cut();
  const { resume } = await (await played.again()).one();

  assert.deepEqual(stale, []);
  assert.deepEqual([said.answer.match, said.answer.number, said.answer.index], [2, 5, 1]);
  assert.deepEqual([made.length, made[0]!.handle], [1, 2]);
  assert.deepEqual(asked.map(({ number }) => number), [7, 5]);
  assert.deepEqual(resume.acks, [{ match: 2, events: "20", prompt: 5, ended: false }]);
});

test("another handle that is told twice is the same match", async () => {
  const { bot, made } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1));

  for (let time = 0; time < 2; time += 1) {
    await played.line.cut();
    await (await played.again()).greet("newer", { resumed: true });
    await played.line.send(started(2, { resumed: true, replaces: 1 }));
  }

  assert.deepEqual([made.length, made[0]!.handle], [1, 2]);
});

test("a prompt that is told again says what is left of the time", async () => {
  const { bot, asked } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), prompt(1, 1, { budgetUs: "2000000" }));
  const before = asked[0]!.budgetUs;
  await played.line.cut();

  await resumed(await played.again(), prompt(1, 1, { budgetUs: "700000" }));

  assert.deepEqual([before, asked[0]!.budgetUs], [2_000_000, 700_000]);
});

test("the end of a match is not acknowledged to an arena that does not keep it", async () => {
  const played = new Played(First);
  await played.line.greet("");
  await played.line.send(started(1), { matchEnded: { match: 1 } });

  assert.deepEqual(await played.line.said(), []);
});

test("a new process makes a new bot for a match that goes on, and knows of a rejected answer", async () => {
  const { bot, made, asked } = pondering();
  const played = new Played(bot);

  await played.line.greet("token", { resumed: true });
  await played.line.send(started(3, { resumed: true }), rejected(3, 4, 1), prompt(3, 4, { triesLeft: 1 }));

  assert.deepEqual([made[0]!.handle, made[0]!.resumed], [3, true]);
  assert.deepEqual(asked.map(({ number, ruling }) => [number, ruling?.text]), [[4, "no"]]);
});

test("events that came by themselves are shown with the next prompt, before its own", async () => {
  const event = (chips: number): object => {
    const value = Buffer.from([10, 4, 34, 2, 16, chips]);
    return { type_url: "type.googleapis.com/rivalry.games.kuhn.v1.Events", value };
  };
  const { bot, asked } = pondering();
  const played = new Played(bot);
  await played.line.greet("token");

  await played.line.send(started(1), { events: { match: 1, firstEvent: "1", eventCount: 1, events: event(1) } });
  await played.line.send({ events: { match: 1, firstEvent: "2", eventCount: 1, events: event(2) } });
  await played.line.send(prompt(1, 1, { firstEvent: "2", eventCount: 1, events: event(2) }));
  await played.line.send(prompt(1, 2, { firstEvent: "3", eventCount: 1, events: event(3) }));

  const shown = asked.map(({ events }) => events!["events"] as { payment: { chips: number } }[]);
  assert.deepEqual(
    shown.map((events) => events.map(({ payment }) => payment.chips)),
    [[1, 2], [3]],
  );
});

test("the end of a match is acknowledged before the stream closes, and each time that it is told", async () => {
  const { bot, ended } = pondering();
  const over = { matchEnded: { match: 1, outcome: { seats: [] }, firstEvent: "8", eventCount: 2 } };
  const played = new Played(bot);
  await played.line.greet("token");
  await played.line.send(started(1), over);
  const first = await played.line.one();
  await played.line.cut();

  const line = await played.again();
  await line.greet("newer", { resumed: true });
  await line.send(over, DONE);
  const second = await line.one();

  assert.deepEqual(first.ack, { match: 1, events: "9", prompt: 0, ended: true });
  assert.deepEqual(second.ack, first.ack);
  assert.equal(line.closed, true);
  assert.deepEqual(ended, ["ended"]);
});

test("wherever the stream is cut, each prompt is asked once and answered once", async () => {
  const PROMPTS = 4;
  for (let cut = 0; cut < 3 * PROMPTS; cut += 1) {
    const { bot, made, asked, answer } = pondering();
    const played = new Played(bot);
    const taken: number[] = [];
    let step = 0;
    await played.line.greet("token");
    await played.line.send(started(1));

    /** Cuts the stream if this is the place, and goes on over the next with what an arena says then. */
    const maybeCut = async (open: number): Promise<void> => {
      step += 1;
      if (step - 1 === cut) {
        await played.line.cut();
        await resumed(await played.again(), prompt(1, open));
      }
    };
    for (let number = 1; number <= PROMPTS; number += 1) {
      await maybeCut(number);
      await played.line.send(prompt(1, number));
      await maybeCut(number);
      await answer(number);
      await maybeCut(number);
      const answers = (await played.line.said()).flatMap(({ answer }) => answer ?? []);
      taken.push(...new Set(answers.map(({ index, number: to }) => 10 * to + index!)));
    }

    assert.deepEqual(taken, [11, 22, 33, 44], `cut at ${cut}`);
    assert.deepEqual(asked.map(({ number }) => number), [1, 2, 3, 4], `cut at ${cut}`);
    assert.equal(made.length, 1);
  }
});
