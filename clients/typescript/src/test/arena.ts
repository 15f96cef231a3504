/** A scripted arena: what a test says is sent, what the bot says is read; nothing is judged. */
import * as grpc from "@grpc/grpc-js";

import type { BotClass } from "../bot.js";
import { dial } from "../link.js";
import { Session, type SessionSettings } from "../session.js";
import { type Ack, type AnswerMessage, type Hello, type Ping, type Resume, Schema } from "../wire.js";
import type { Ended } from "../words.js";

export const schema = new Schema();

/** Thirty-two bytes, 0 to 31. */
export const LUCK = Buffer.from(Array.from({ length: 32 }, (_, index) => index));

const LIMITS = { matches: 9, prompts: 9, frameMessages: 256, frameBytes: 1 << 20 };

/** A message of a bot as a test looks at it: `message` names the field that is set. */
export interface Said {
  readonly message: string;
  readonly hello: Hello;
  readonly seatReply: { readonly offer: string; readonly accepted: boolean; readonly why: string };
  readonly answer: AnswerMessage;
  readonly resume: Resume;
  readonly ack: Ack;
  readonly ping: Ping;
  readonly pong: { readonly nonce: string };
  readonly leave: { readonly reason: string; readonly text: string };
}

type Call = grpc.ServerDuplexStream<{ messages: Said[] }, object>;

/** One bot's stream, seen from the arena. */
export class Stream {
  readonly #call: Call;
  readonly #frames: Said[][] = [];
  #wake: () => void = () => undefined;
  #over = false;

  constructor(call: Call) {
    this.#call = call;
    call.on("data", (frame: { messages: Said[] }) => {
      this.#frames.push(frame.messages);
      this.#wake();
    });
    call.on("end", () => this.#stop());
    call.on("error", () => this.#stop());
    call.on("cancelled", () => this.#stop());
  }

  get authorization(): unknown {
    return this.#call.metadata.get("authorization")[0];
  }

  send(...messages: object[]): void {
    this.#call.write({ messages });
  }

  raw(bytes: Buffer): void {
    this.#call.write(bytes);
  }

  /** The next frame; empty when the bot has closed its side. */
  async frame(): Promise<Said[]> {
    while (this.#frames.length === 0 && !this.#over) {
      await new Promise<void>((wake) => (this.#wake = wake));
    }
    return this.#frames.shift() ?? [];
  }

  /** The next message, from a frame of its own. */
  async one(): Promise<Said> {
    const frame = await this.frame();
    if (frame.length !== 1) {
      throw new Error(`expected one message, got ${JSON.stringify(frame)}`);
    }
    return frame[0]!;
  }

  /** The next message of a kind; others are passed over. Throws when the bot has closed its side. */
  async until(kind: string): Promise<Said> {
    for (let frame = await this.frame(); frame.length > 0; frame = await this.frame()) {
      const found = frame.find(({ message }) => message === kind);
      if (found) {
        return found;
      }
    }
    throw new Error(`the bot closed its side before it said ${kind}`);
  }

  /** Reads the hello and says welcome. */
  async greet(limits: object = LIMITS, more: object = {}): Promise<Said> {
    const hello = await this.one();
    this.send({ welcome: { protocol: 1, arena: "scripted 1", limits, ...more } });
    return hello;
  }

  /** Offers a seat, reads that it is taken, starts the match. */
  async seat(match: number, more: object = {}): Promise<void> {
    this.send({ seatOffer: { offer: String(match), matchId: "00ff", game: "kuhn", seat: 0, seats: 2 } });
    await this.until("seatReply");
    const matchStarted = { match, matchId: "00ff", game: "kuhn", seat: 0, luck: LUCK, ...more };
    this.send({ matchStarted });
  }

  end(status?: Partial<grpc.StatusObject>): void {
    if (status) {
      this.#call.emit("error", status);
    } else {
      this.#call.end();
    }
  }

  #stop(): void {
    this.#over = true;
    this.#wake();
  }
}

/** Says that the session is over. */
export const DONE = { sessionEnded: { reason: "SESSION_END_REASON_DONE" } };

/** A prompt with as many plain choices as there are parts, unless more is said. */
export function prompt(match: number, number: number, more: object = {}): object {
  return { prompt: { match, number, kind: "move", parts: [0, 0], triesLeft: 2, ...more } };
}

/** An arena that follows `script` on each stream, at an address of its own. */
export class Arena {
  readonly address: string;
  readonly #server: grpc.Server;
  readonly #scripts: Promise<void>[];

  private constructor(server: grpc.Server, address: string, scripts: Promise<void>[]) {
    this.#server = server;
    this.address = address;
    this.#scripts = scripts;
  }

  static async open(
    script: (stream: Stream) => Promise<void>,
    at = "127.0.0.1:0",
    credentials = grpc.ServerCredentials.createInsecure(),
  ): Promise<Arena> {
    const { Play } = schema.definition["rivalry.arena.v1.ArenaService"] as unknown as grpc.ServiceDefinition;
    const serialize = Play!.responseSerialize;
    const responseSerialize = (frame: object) => (Buffer.isBuffer(frame) ? frame : serialize(frame));
    const scripts: Promise<void>[] = [];
    const follow = (call: Call): void => {
      const stream = new Stream(call);
      const followed = script(stream).finally(() => stream.end());
      followed.catch(() => undefined); // close() throws it
      scripts.push(followed);
    };
    const server = new grpc.Server();
    server.addService({ Play: { ...Play!, responseSerialize } }, { Play: follow });
    const port = await new Promise<number>((bound, failed) => {
      server.bindAsync(at, credentials, (error, port) => (error ? failed(error) : bound(port)));
    });
    return new Arena(server, at.startsWith("unix:") ? at : `127.0.0.1:${port}`, scripts);
  }

  /** Waits for the scripts and closes; throws what a script threw. */
  async close(): Promise<void> {
    try {
      await Promise.all(this.#scripts);
    } finally {
      this.#server.forceShutdown();
    }
  }
}

/** What a session did: how it ended and what was told on the way. */
export interface Played extends Ended {
  readonly lines: readonly string[];
}

/** Plays one session of `bot` with `script` to its end. */
export async function played(
  bot: BotClass,
  script: (stream: Stream) => Promise<void>,
  settings: Partial<SessionSettings> & { readonly token?: string } = {},
): Promise<Played> {
  const arena = await Arena.open(script);
  const lines: string[] = [];
  const ended = await new Session(bot, {
    name: "tester",
    matches: 1,
    schema,
    address: arena.address,
    dial: (listener) =>
      dial(
        { address: arena.address, token: settings.token ?? "", credentials: grpc.credentials.createInsecure() },
        schema,
        listener,
      ),
    say: (line) => lines.push(line),
    note: (line) => lines.push(line),
    ...settings,
  }).run();
  await arena.close();
  return { ...ended, lines };
}
