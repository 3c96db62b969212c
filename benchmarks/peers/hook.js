// A hook as one would write it in Node: read the event, the session's intent, the declared intents; is the path in scope?
// Silence and 0 for yes, a sentence and 2 for no. It records nothing and holds no lock.
const fs = require("fs");
const path = require("path");
const yaml = require("js-yaml");
const { minimatch } = require("minimatch");

const root = process.argv[2];
const event = JSON.parse(fs.readFileSync(0, "utf8"));
const state = path.join(root, ".orchestration");
const sessions = path.join(state, ".state", "sessions");
const session = fs
  .readdirSync(sessions)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(fs.readFileSync(path.join(sessions, name), "utf8").split("\n")[1])) // behind its checksum
  .find((each) => each.session_id === event.session_id);
const { active_intents: intents } = yaml.load(fs.readFileSync(path.join(state, "active_intents.yaml"), "utf8"));
const intent = intents.find((each) => session && each.id === session.intent_id);
const relative = path.relative(root, event.tool_input.file_path);
const matches = (glob) => minimatch(relative, glob, { dot: true });
const inside =
  intent &&
  intent.owned_scope.some((glob) => !glob.startsWith("!") && matches(glob)) &&
  !intent.owned_scope.some((glob) => glob.startsWith("!") && matches(glob.slice(1)));
if (!inside) {
  process.stdout.write(`${relative} is out of scope\n`);
  process.exitCode = 2;
}
