// For each line {"pattern": ..., "paths": [...]} on stdin, one line of what minimatch makes of it:
// {"alternatives": [...], "verdicts": "0110..."}. The argument is the folder that minimatch is installed in.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Minimatch, braceExpand } = createRequire(process.argv[2] + "/")("minimatch");

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { pattern, paths } = JSON.parse(line);
  const glob = new Minimatch(pattern, { dot: true });
  const verdicts = paths.map((path) => (glob.match(path) ? "1" : "0")).join("");
  process.stdout.write(JSON.stringify({ alternatives: [...new Set(braceExpand(pattern))], verdicts }) + "\n");
}
