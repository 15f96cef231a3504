/** What a bot author needs. */
export type { Answer, Bot, BotClass, Choice, Match, Prompt } from "./bot.js";
export { First, picked, Random } from "./bots.js";
export { Stream } from "./chance.js";
export type { Measured, TimeControl } from "./clock.js";
export { run } from "./run.js";
export type { Message, Outcome, Ruling } from "./wire.js";
