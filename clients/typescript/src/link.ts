/** What carries frames between a session and the arena: for now, a gRPC stream that the bot opens. */
import * as grpc from "@grpc/grpc-js";

import { tlsOptions } from "./tls.js";
import type { FromArena, FromBot, Schema } from "./wire.js";

/** The bot's end of a stream. */
export interface Link {
  write(frame: readonly FromBot[]): void;
  /** Nothing more will be written; what was written is still delivered. */
  close(): void;
  /** Gives the stream up. */
  cancel(): void;
}

/** Who reads a link. */
export interface Listener {
  frame(messages: readonly FromArena[]): void;
  /** Once, last: the stream's status, by its gRPC name (`OK`, `UNAVAILABLE`, …). */
  closed(code: string, details: string): void;
}

interface PlayMethod {
  readonly path: string;
  readonly requestSerialize: (frame: { messages: readonly FromBot[] }) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => { messages: FromArena[] };
}

/** Where the arena is, what the bot is known by there, and what protects the way. */
export interface Target {
  /** `host:port`, `[v6]:port`, `unix:/path`. */
  readonly address: string;
  /** Empty: none. */
  readonly token: string;
  readonly credentials: grpc.ChannelCredentials;
}

/** Opens a stream to the target. Throws where its address or token cannot be used. */
export function dial({ address, token, credentials }: Target, schema: Schema, listener: Listener): Link {
  const service = schema.definition["rivalry.arena.v1.ArenaService"] as unknown as { readonly Play: PlayMethod };
  const { path, requestSerialize, responseDeserialize } = service.Play;
  const metadata = new grpc.Metadata();
  if (token) {
    metadata.set("authorization", `Bearer ${token}`);
  }
  const client = new grpc.Client(address, credentials, options(address));
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
  call.on("data", (frame: { messages: FromArena[] }) => listener.frame(frame.messages));
  call.on("error", () => undefined); // the status says it
  call.on("status", ({ code, details }: grpc.StatusObject) => {
    setImmediate(() => {
      client.close();
      listener.closed(grpc.status[code] ?? String(code), details);
    });
  });
  return {
    write: (frame) => void call.write({ messages: frame }),
    close: () => void call.end(),
    cancel: () => call.cancel(),
  };
}

/**
 * Each stream has a connection of its own: one that is shared remembers failed attempts and waits by itself.
 * A proxy that the environment names is no way to an arena on this machine.
 */
function options(address: string): grpc.ClientOptions {
  const here = /^(dns:(\/\/\/)?)?(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(address);
  const direct = here ? { "grpc.enable_http_proxy": 0 } : {};
  return { "grpc.use_local_subchannel_pool": 1, ...direct, ...tlsOptions(address) };
}
