// Answers, for each line {"pattern": ..., "paths": [...]} on stdin, one line of 0s and 1s: minimatch's verdicts.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(process.argv[2] + "/");
const { Minimatch } = require("minimatch");

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { pattern, paths } = JSON.parse(line);
  const glob = new Minimatch(pattern, { dot: true });
  process.stdout.write(paths.map((path) => (glob.match(path) ? "1" : "0")).join("") + "\n");
}
