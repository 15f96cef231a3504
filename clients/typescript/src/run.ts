/** A bot's command line. */
import type { BotClass } from "./bot.js";
import { KeptFile, NOWHERE } from "./keep.js";
import { dial } from "./link.js";
import { given, help } from "./options.js";
import { Session } from "./session.js";
import { credentials } from "./tls.js";
import { Schema } from "./wire.js";
import type { Ended } from "./words.js";

const LINGER_MS = 500;

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
  let protection;
  try {
    settings = given(args, names);
    protection = credentials(settings.tls, settings.address);
  } catch (error) {
    return { status: 2, text: `${(error as Error).message.split("\n", 1)[0]}; see --help` };
  }
  if (settings.help) {
    console.log(help(names));
    return { status: 0, text: "" };
  }
  const { address, bot, matches, name, patienceMs, proto, resumeFile, token, verbose } = settings;
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
    dial: (listener) => dial({ address, token, credentials: protection }, schema, listener),
    say,
    note: verbose || process.stderr.isTTY ? say : () => undefined,
    patienceMs,
    keep: resumeFile ? new KeptFile(resumeFile) : NOWHERE,
  });
  process.once("uncaughtException", (error) => session.crash(error));
  process.once("SIGINT", () => session.leave("LEAVE_REASON_DONE", "interrupted", { status: 130, text: "" }));
  process.once("SIGTERM", () => session.leave("LEAVE_REASON_DONE", "terminated", { status: 143, text: "" }));
  try {
    return await session.run();
  } catch (error) {
    return { status: 2, text: `--resume-file ${resumeFile}: ${(error as Error).message}` };
  }
}

function say(line: string): void {
  console.error(`rivalry: ${line}`);
}
