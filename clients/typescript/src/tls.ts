/** Transport security: whom the bot trusts and what it shows of itself. */
import { readFileSync } from "node:fs";

import * as grpc from "@grpc/grpc-js";

/** Files in PEM; an empty path is none. */
export interface TlsFiles {
  /** The authorities that may vouch for the arena; without them, those of Node. */
  readonly ca: string;
  /** The bot's own certificate and its key, where the arena asks for one. */
  readonly cert: string;
  readonly key: string;
}

/** Plain text when no file is named, else TLS. Throws for a file that cannot be used, naming its option. */
export function credentials({ ca, cert, key }: TlsFiles): grpc.ChannelCredentials {
  if (!ca && !cert && !key) {
    return grpc.credentials.createInsecure();
  }
  if (Boolean(cert) !== Boolean(key)) {
    throw new Error(`--tls-${cert ? "cert" : "key"} is given without --tls-${cert ? "key" : "cert"}: give both`);
  }
  try {
    return grpc.credentials.createSsl(read("--tls-ca", ca), read("--tls-key", key), read("--tls-cert", cert));
  } catch (error) {
    throw new Error(`TLS: ${(error as Error).message}`, { cause: error });
  }
}

function read(option: string, path: string): Buffer | null {
  if (!path) {
    return null;
  }
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${option} ${path}: ${(error as Error).message}`, { cause: error });
  }
}
