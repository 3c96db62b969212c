// What a language server on Node is: commands that do nothing, documents kept in step, and a guarded write in the style of the
// first prototypes: parse the intents, match, write the file, append the record. LSP_SYNC=1: both are on disk before it answers.
const { createConnection, ErrorCodes, ProposedFeatures, ResponseError, TextDocuments, TextDocumentSyncKind } = require("vscode-languageserver/node");
const { TextDocument } = require("vscode-languageserver-textdocument");
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const documents = new TextDocuments(TextDocument);
const durable = process.env.LSP_SYNC === "1";
let root = "";

connection.onInitialize((params) => {
  root = params.rootUri ? new URL(params.rootUri).pathname : "";
  return {
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      executeCommandProvider: { commands: ["noop", "refuse", "write"] },
    },
  };
});

const hash = (bytes) => "sha256:" + crypto.createHash("sha256").update(bytes).digest("hex");

function synced(file, flags, data) {
  const fd = fs.openSync(file, flags);
  fs.writeSync(fd, data);
  if (durable) fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function write({ path: relative, content }) {
  const yaml = require("js-yaml");
  const { minimatch } = require("minimatch");
  const declared = yaml.load(fs.readFileSync(path.join(root, ".orchestration", "active_intents.yaml"), "utf8"));
  const intent = declared.active_intents.find((each) => each.id === "INT-00000");
  if (!intent.owned_scope.some((glob) => minimatch(relative, glob, { dot: true }))) return { status: "error" };
  const file = path.join(root, relative);
  let before = null;
  try {
    before = hash(fs.readFileSync(file));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  synced(file + ".new", "w", content);
  fs.renameSync(file + ".new", file);
  const after = hash(Buffer.from(content));
  const record = { id: crypto.randomUUID(), timestamp: new Date().toISOString(), intent_id: "INT-00000", path: relative, before, after };
  synced(path.join(root, ".orchestration", "node_trace.jsonl"), "a", JSON.stringify(record) + "\n");
  return { status: "ok", content_hash: after };
}

connection.onExecuteCommand((params) => {
  if (params.command === "write") return write(params.arguments[0]);
  if (params.command === "refuse") return new ResponseError(ErrorCodes.InvalidParams, "unknown: unknown argument");
  return {};
});
documents.listen(connection);
connection.listen();
