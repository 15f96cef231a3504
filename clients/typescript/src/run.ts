/** A bot's command line. */
import { parseArgs } from "node:util";

import type { BotClass } from "./bot.js";
import { dial } from "./link.js";
import { Session } from "./session.js";
import { PROTO, Schema } from "./wire.js";
import type { Ended } from "./words.js";

const LINGER_MS = 500;
const USUAL_ADDRESS = "127.0.0.1:7777";

type Bots = Readonly<Record<string, BotClass>>;

/**
 * Takes seats for a bot, or for one of several by name, until the arena ends the session; then sets the exit status:
 * 0 done, 1 failed, 2 refused or not reached, 130 interrupted. The first of several is the usual one.
 */
export async function run(bots: BotClass | Bots, args: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { status, text } = await played(typeof bots === "function" ? { [bots.name]: bots } : bots, args);
  if (text) {
    say(text);
  }
  process.exitCode = status;
  setTimeout(() => process.exit(), LINGER_MS).unref(); // whatever timers and workers a bot left behind
}

async function played(bots: Bots, args: readonly string[]): Promise<Ended> {
  const names = Object.keys(bots);
  let settings;
  try {
    settings = given(args, names);
  } catch (error) {
    return { status: 2, text: `${(error as Error).message.split("\n", 1)[0]}; see --help` };
  }
  if (settings.help) {
    console.log(help(names));
    return { status: 0, text: "" };
  }
  const { address, bot, matches, name, proto, token, verbose } = settings;
  let schema: Schema;
  try {
    schema = new Schema(proto);
  } catch (error) {
    return { status: 2, text: `no schema in ${proto}: ${(error as Error).message}; say where proto/ is with --proto` };
  }
  const session = new Session(bots[bot]!, {
    name,
    matches,
    schema,
    address,
    dial: (listener) => dial(address, token, schema, listener),
    say,
    note: verbose || process.stderr.isTTY ? say : () => undefined,
  });
  process.once("uncaughtException", (error) => session.crash(error));
  process.once("SIGINT", () => session.leave("LEAVE_REASON_DONE", "interrupted", { status: 130, text: "" }));
  process.once("SIGTERM", () => session.leave("LEAVE_REASON_DONE", "terminated", { status: 143, text: "" }));
  return session.run();
}

function say(line: string): void {
  console.error(`rivalry: ${line}`);
}

function given(args: readonly string[], names: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      address: { type: "string", default: process.env["RIVALRY_ADDRESS"] || USUAL_ADDRESS },
      bot: { type: "string", default: names[0] ?? "" },
      help: { type: "boolean", short: "h", default: false },
      matches: { type: "string", default: "1" },
      name: { type: "string" },
      proto: { type: "string", default: PROTO },
      token: { type: "string", default: process.env["RIVALRY_TOKEN"] ?? "" },
      verbose: { type: "boolean", short: "v", default: false },
    },
  });
  const matches = Number(values.matches);
  if (!names.includes(values.bot)) {
    throw new Error(`--bot ${values.bot}: expected ${names.join(" or ")}`);
  }
  if (!Number.isInteger(matches) || matches < 1 || matches > 0x7fffffff) {
    throw new Error(`--matches ${values.matches}: expected a whole number from 1`);
  }
  return { ...values, matches, name: values.name ?? values.bot };
}

function help(names: readonly string[]): string {
  return `usage: node FILE [--address TARGET] [--bot NAME] …

  --address TARGET  the arena: host:port, [v6]:port or unix:/path (default: RIVALRY_ADDRESS,
                    else ${USUAL_ADDRESS})
  --token TOKEN     what it asks for, if it does (default: RIVALRY_TOKEN)
  --bot NAME        ${names.join(" or ")} (default: ${names[0]})
  --name NAME       the name in tables and records (default: the bot's)
  --matches N       how many matches may be open at once (default: 1)
  --proto FOLDER    the folder of the .proto files (default: the repository's)
  -v, --verbose     tell the course of things also when stderr is no terminal`;
}
