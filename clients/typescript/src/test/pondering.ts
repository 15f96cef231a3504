/** A bot whose answers a test gives, and the start of its match. */
import type { Answer, Bot, Match, Prompt } from "../bot.js";
import { settled } from "./virtual.js";

/** A bot that notes what it is asked and answers when the test says so. */
export function pondering() {
  const made: Match[] = [];
  const asked: Prompt[] = [];
  const ended: string[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  class Pondering implements Bot {
    constructor(match: Match) {
      made.push(match);
    }

    choose(prompt: Prompt): Promise<Answer> {
      asked.push(prompt);
      return new Promise((answer) => waiting.push(answer));
    }

    ended(): void {
      ended.push("ended");
    }
  }
  const answer = async (index: number): Promise<void> => {
    waiting.shift()!({ index });
    await settled();
  };
  return { bot: Pondering, made, asked, ended, answer };
}

/** What tells a bot that a match of Kuhn poker has begun. */
export function started(match: number, more: object = {}): object {
  return { matchStarted: { match, matchId: "00ff", game: "kuhn", seat: 0, ...more } };
}
