import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import * as grpc from "@grpc/grpc-js";

import { Arena, DONE } from "./arena.js";
import { program } from "./program.js";

const folder = mkdtempSync(join(tmpdir(), "rivalry-"));
after(() => rmSync(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);

function openssl(...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
}

/** Makes an authority, and what it vouches for, as NAME.crt and NAME.key. */
function authority(name: string, alternatives: string, ...subjects: string[]): void {
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...made, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.crt`);
  writeFileSync(file("names"), `subjectAltName=${alternatives}\n`);
  for (const subject of subjects) {
    openssl("req", ...made, "-subj", `/CN=${subject}`, "-keyout", `${subject}.key`, "-out", `${subject}.csr`);
    const by = ["-CA", `${name}.crt`, "-CAkey", `${name}.key`, "-CAcreateserial", "-extfile", "names"];
    openssl("x509", "-req", "-in", `${subject}.csr`, ...by, "-out", `${subject}.crt`);
  }
}

const skip = spawnSync("openssl", ["version"]).error ? "openssl was not found, which makes the certificates" : false;
if (!skip) {
  authority("ca", "DNS:localhost,IP:127.0.0.1", "arena", "bot");
  authority("ca2", "IP:127.0.0.2", "elsewhere");
}

/** An arena that speaks TLS, and asks for a certificate of the bot where `mutual` says so. */
function guarded(mutual: boolean, name = "arena"): Promise<Arena> {
  const pair = { private_key: readFileSync(file(`${name}.key`)), cert_chain: readFileSync(file(`${name}.crt`)) };
  const script = async (stream: { greet(): Promise<unknown>; send(message: object): void }): Promise<void> => {
    await stream.greet();
    stream.send(DONE);
  };
  const credentials = grpc.ServerCredentials.createSsl(readFileSync(file("ca.crt")), [pair], mutual);
  return Arena.open(script, "127.0.0.1:0", credentials);
}

test("an arena that a trusted authority vouches for is played with, by address and by name", { skip }, async () => {
  const arena = await guarded(false);

  const byName = arena.address.replace("127.0.0.1", "localhost");
  const [option, environment] = await Promise.all([
    program("../main.js", ["--address", arena.address, "--tls-ca", file("ca.crt")]),
    program("../main.js", [], { RIVALRY_ADDRESS: byName, RIVALRY_TLS_CA: file("ca.crt") }),
  ]);
  await arena.close();

  assert.deepEqual(option, { status: 0, stdout: "", stderr: "" });
  assert.deepEqual(environment, { status: 0, stdout: "", stderr: "" });
});

test("the bot shows its certificate to an arena that asks for one", { skip }, async () => {
  const arena = await guarded(true);
  const trust = ["--address", arena.address, "--tls-ca", file("ca.crt")];
  const files = { RIVALRY_TLS_CERT: file("bot.crt"), RIVALRY_TLS_KEY: file("bot.key") };

  const [shown, environment, none] = await Promise.all([
    program("../main.js", [...trust, "--tls-cert", file("bot.crt"), "--tls-key", file("bot.key")]),
    program("../main.js", trust, files),
    program("../main.js", trust),
  ]);
  await arena.close();

  assert.deepEqual(shown, { status: 0, stdout: "", stderr: "" });
  assert.deepEqual(environment, shown);
  assert.equal(none.status, 2);
  assert.match(none.stderr, /^rivalry: no arena at \S+: TLS: [\w ]*certificate required; [^\n]+\n$/);
});

test("an arena that nobody vouches for, or for another address, is not played with", { skip }, async () => {
  const arena = await guarded(false);
  const elsewhere = await guarded(false, "elsewhere");

  const [stranger, wrongHost, plain] = await Promise.all([
    program("../main.js", ["--address", arena.address, "--tls-ca", file("ca2.crt")]),
    program("../main.js", ["--address", elsewhere.address, "--tls-ca", file("ca2.crt")]),
    program("../main.js", ["--address", arena.address]),
  ]);
  await arena.close();
  await elsewhere.close();

  assert.equal(stranger.status, 2);
  assert.match(stranger.stderr, /^rivalry: no arena at .*: (unable to verify|self-signed|unable to get)[^\n]+\n$/);
  assert.equal(wrongHost.status, 2);
  assert.match(wrongHost.stderr, /127\.0\.0\.1 is not in the cert's list[^\n]*\n$/);
  assert.equal(plain.status, 2);
});

test("files that cannot be used are one line and status 2", { skip }, async () => {
  writeFileSync(file("broken"), "no certificate");
  const cases = [
    [["--tls-cert", file("bot.crt")], /--tls-cert is given without --tls-key: give both/],
    [["--tls-ca", file("none")], /--tls-ca .*none: ENOENT/],
    [["--tls-cert", file("broken"), "--tls-key", file("bot.key")], /TLS: /],
  ] as const;

  const exits = await Promise.all(cases.map(([args]) => program("../main.js", args)));

  exits.forEach(({ status, stderr }, index) => {
    assert.equal(status, 2, stderr);
    assert.match(stderr, cases[index]![1]);
    assert.match(stderr, /^rivalry: [^\n]+\n$/);
  });
});
