/** Two bots that play any game by the numbers of its choices, move for move as their namesakes in Python. */
import { type Answer, type Bot, type Choice, type Prompt } from "./bot.js";
import type { Stream } from "./chance.js";

/** Takes the first choice by its number alone. */
export class First implements Bot {
  static readonly version = "0.1.0";
  static readonly quick = true;

  choose(): Answer {
    return { index: 0 };
  }
}

/** Uniform over the choices, then over sizes from least to most, then over sets of parts of that size. */
export class Random implements Bot {
  static readonly version = "0.1.0";
  static readonly quick = true;

  choose(prompt: Prompt): Answer {
    return picked(prompt.choices, prompt.stream());
  }
}

/** The answer that `Random` draws from `stream` among `choices`. */
export function picked(choices: readonly Pick<Choice, "parts" | "least" | "most">[], stream: Stream): Answer {
  const index = stream.below(choices.length);
  const { parts, least, most } = choices[index]!;
  if (most === 0) {
    return { index };
  }
  const size = least + stream.below(most - least + 1);
  return { index, parts: stream.sample(parts, size) };
}
