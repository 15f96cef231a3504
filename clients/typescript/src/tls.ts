/** Transport security: whom the bot trusts and what it shows of itself. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

import * as grpc from "@grpc/grpc-js";

/** Files in PEM; an empty path is none. */
export interface TlsFiles {
  /** The authorities that may vouch for the arena; without them, those of Node. */
  readonly ca: string;
  /** The bot's own certificate and its key, where the arena asks for one. */
  readonly cert: string;
  readonly key: string;
}

/**
 * What a channel to `address` needs: plain text when no file is named, else TLS. Throws for a file that cannot be used,
 * naming its option.
 */
export function credentials({ ca, cert, key }: TlsFiles, address: string): grpc.ChannelCredentials {
  if (!ca && !cert && !key) {
    return grpc.credentials.createInsecure();
  }
  if (Boolean(cert) !== Boolean(key)) {
    throw new Error(`--tls-${cert ? "cert" : "key"} is given without --tls-${cert ? "key" : "cert"}: give both`);
  }
  try {
    const ip = ipOf(address);
    const byAddress = (_: string, shown: PeerCertificate): Error | undefined => checkServerIdentity(ip, shown);
    const verify = ip ? { checkServerIdentity: byAddress } : {};
    return grpc.credentials.createSsl(read("--tls-ca", ca), read("--tls-key", key), read("--tls-cert", cert), verify);
  } catch (error) {
    throw new Error(`TLS: ${(error as Error).message}`, { cause: error });
  }
}

/** TLS asks for a host by its name and has no way to ask for an IP address: a channel to one asks for no real name. */
export function tlsOptions(address: string): grpc.ClientOptions {
  return ipOf(address) ? { "grpc.ssl_target_name_override": "arena.invalid" } : {};
}

/** The IP address in `host:port` or `[v6]:port`; empty where there is another host. */
function ipOf(address: string): string {
  const host = address.slice(0, address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
  return isIP(host) ? host : "";
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
