/** The two bots that come with the client, as a program. */
import { First, Random } from "./bots.js";
import { run } from "./run.js";

await run({ random: Random, first: First });
