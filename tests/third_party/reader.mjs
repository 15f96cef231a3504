/** The same for Node: `node reader.mjs`; CLIENT is the folder of the client. */
const { run } = await import(new URL("index.js", process.env.CLIENT).href);

class Reader {
  static features = ["legal_text", "view_text"];

  choose({ choices: [{ index, partTexts }], view }) {
    if (!partTexts[1].startsWith("coin ")) throw new Error(`parts are ${partTexts}`);
    return { index, parts: [0, 2], note: view.split("\n")[1] };
  }
}

await run(Reader);
