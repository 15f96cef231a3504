/** The options of a bot's command line, and where they are left out what the environment says. */
import { parseArgs } from "node:util";

import type { TlsFiles } from "./tls.js";
import { PROTO } from "./wire.js";

const USUAL_ADDRESS = "127.0.0.1:7777";

export interface Options {
  readonly address: string;
  readonly bot: string;
  readonly help: boolean;
  readonly matches: number;
  readonly name: string;
  readonly patienceMs: number;
  readonly proto: string;
  /** Empty: none. */
  readonly resumeFile: string;
  readonly tls: TlsFiles;
  readonly token: string;
  readonly verbose: boolean;
}

/** Reads `args`; throws an error that says in one line what is wrong with them. `names` are those of the bots. */
export function given(args: readonly string[], names: readonly string[]): Options {
  const { RIVALRY_ADDRESS, RIVALRY_RESUME_FILE, RIVALRY_TOKEN, ...environment } = process.env;
  const { values } = parseArgs({
    args: [...args],
    options: {
      address: { type: "string", default: RIVALRY_ADDRESS || USUAL_ADDRESS },
      bot: { type: "string", default: names[0] ?? "" },
      help: { type: "boolean", short: "h", default: false },
      matches: { type: "string", default: "1" },
      name: { type: "string" },
      patience: { type: "string", default: "60" },
      proto: { type: "string", default: PROTO },
      "resume-file": { type: "string", default: RIVALRY_RESUME_FILE ?? "" },
      "tls-ca": { type: "string", default: environment["RIVALRY_TLS_CA"] ?? "" },
      "tls-cert": { type: "string", default: environment["RIVALRY_TLS_CERT"] ?? "" },
      "tls-key": { type: "string", default: environment["RIVALRY_TLS_KEY"] ?? "" },
      token: { type: "string", default: RIVALRY_TOKEN ?? "" },
      verbose: { type: "boolean", short: "v", default: false },
    },
  });
  const matches = Number(values.matches);
  const patience = values.patience.trim() === "" ? NaN : Number(values.patience);
  if (!names.includes(values.bot)) {
    throw new Error(`--bot ${values.bot}: expected ${names.join(" or ")}`);
  }
  if (!Number.isInteger(matches) || matches < 1 || matches > 0x7fffffff) {
    throw new Error(`--matches ${values.matches}: expected a whole number from 1`);
  }
  if (!(patience >= 0 && patience < Infinity)) {
    throw new Error(`--patience ${values.patience}: expected a number of seconds, 0 for not at all`);
  }
  return {
    ...values,
    matches,
    name: values.name ?? values.bot,
    patienceMs: patience * 1000,
    resumeFile: values["resume-file"],
    tls: { ca: values["tls-ca"], cert: values["tls-cert"], key: values["tls-key"] },
  };
}

export function help(names: readonly string[]): string {
  return `usage: node FILE [--address TARGET] [--bot NAME] …

  --address TARGET    the arena: host:port, [v6]:port or unix:/path (default: RIVALRY_ADDRESS,
                      else ${USUAL_ADDRESS})
  --token TOKEN       what it asks for, if it does (default: RIVALRY_TOKEN)
  --bot NAME          ${names.join(" or ")} (default: ${names[0]})
  --name NAME         the name in tables and records (default: the bot's)
  --matches N         how many matches may be open at once (default: 1)
  --patience SECONDS  how long to try to get a lost stream back; 0: not at all (default: 60)
  --resume-file PATH  keep the resume token there and go on with it when started again
                      (default: RIVALRY_RESUME_FILE, else nowhere)
  --tls-ca FILE       use TLS, and trust the authorities in FILE (default: RIVALRY_TLS_CA)
  --tls-cert FILE     use TLS, and show the certificate in FILE (default: RIVALRY_TLS_CERT)
  --tls-key FILE      the certificate's key (default: RIVALRY_TLS_KEY)
  --proto FOLDER      the folder of the .proto files (default: the repository's)
  -v, --verbose       tell the course of things also when stderr is no terminal`;
}
