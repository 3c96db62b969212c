// What a language server on Node is: commands that do nothing, documents kept in step, and a guarded write in the style of the
// first prototypes: parse the intents, match, write the file, append the record. LSP_SYNC=fsync: both are on disk before it
// answers. LSP_SYNC=log: the same promise as ours. One durable write into a preallocated log has content and record; under a
// lock the file is compared once more and replaced whole, and the record appended; both are synced when the log is full.
const { createConnection, ErrorCodes, ProposedFeatures, ResponseError, TextDocuments, TextDocumentSyncKind } = require("vscode-languageserver/node");
const { TextDocument } = require("vscode-languageserver-textdocument");
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const documents = new TextDocuments(TextDocument);
const durable = process.env.LSP_SYNC === "fsync";
const logged = process.env.LSP_SYNC === "log";
let root = "";

connection.onInitialize((params) => {
  root = params.rootUri ? new URL(params.rootUri).pathname : "";
  if (root) fs.mkdirSync(own(""), { recursive: true });
  return {
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      executeCommandProvider: { commands: ["noop", "refuse", "write"] },
    },
  };
});

// Its own files lie beside ours, so that neither server notices what the other one writes.
const own = (name) => path.join(root, ".node", name);

const hash = (bytes) => "sha256:" + crypto.createHash("sha256").update(bytes).digest("hex");

function synced(file, flags, data) {
  const fd = fs.openSync(file, flags);
  fs.writeSync(fd, data);
  if (durable) fs.fsyncSync(fd);
  fs.closeSync(fd);
}

const BLOCK = 4096;
const LOG_BYTES = 1 << 24;
let log = null;

function openLog() {
  const name = own("node.log");
  const made = fs.openSync(name, "w");
  fs.writeSync(made, Buffer.alloc(LOG_BYTES));
  fs.fsyncSync(made);
  fs.closeSync(made);
  log = { fd: fs.openSync(name, fs.constants.O_RDWR | fs.constants.O_DSYNC), end: 0, touched: new Set() };
}

function syncAll() {
  for (const name of log.touched) {
    const fd = fs.openSync(name, "r");
    fs.fsyncSync(fd);
    fs.closeSync(fd);
  }
  log.end = 0;
  log.touched.clear();
}

function logDurably(record, bytes) {
  if (log === null) openLog();
  const body = Buffer.concat([Buffer.from(JSON.stringify(record) + "\n"), bytes]);
  const head = Buffer.from(crypto.createHash("sha256").update(body).digest("hex") + " " + body.length + "\n");
  const entry = Buffer.alloc(Math.ceil((head.length + body.length) / BLOCK) * BLOCK);
  Buffer.concat([head, body]).copy(entry);
  if (log.end + entry.length > LOG_BYTES) syncAll();
  fs.writeSync(log.fd, entry, 0, entry.length, log.end);
  log.end += entry.length;
}

function writeLogged(file, relative, bytes, before) {
  const lock = own("node.lock");
  const ledger = own("node_trace.jsonl");
  fs.closeSync(fs.openSync(lock, "wx"));
  try {
    if (hashOf(file) !== before) return { status: "error" };
    const after = hash(bytes);
    const record = { id: crypto.randomUUID(), timestamp: new Date().toISOString(), intent_id: "INT-00000", path: relative, before, after };
    logDurably(record, bytes);
    fs.writeFileSync(file + ".new", bytes);
    fs.renameSync(file + ".new", file);
    fs.appendFileSync(ledger, JSON.stringify(record) + "\n");
    for (const name of [file, path.dirname(file), ledger]) log.touched.add(name);
    return { status: "ok", content_hash: after };
  } finally {
    fs.unlinkSync(lock);
  }
}

function hashOf(file) {
  try {
    return hash(fs.readFileSync(file));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return null;
  }
}

function write({ path: relative, content }) {
  const yaml = require("js-yaml");
  const { minimatch } = require("minimatch");
  const declared = yaml.load(fs.readFileSync(path.join(root, ".orchestration", "active_intents.yaml"), "utf8"));
  const intent = declared.active_intents.find((each) => each.id === "INT-00000");
  if (!intent.owned_scope.some((glob) => minimatch(relative, glob, { dot: true }))) return { status: "error" };
  const file = path.join(root, relative);
  const before = hashOf(file);
  if (logged) return writeLogged(file, relative, Buffer.from(content), before);
  synced(file + ".new", "w", content);
  fs.renameSync(file + ".new", file);
  const after = hash(Buffer.from(content));
  const record = { id: crypto.randomUUID(), timestamp: new Date().toISOString(), intent_id: "INT-00000", path: relative, before, after };
  synced(own("node_trace.jsonl"), "a", JSON.stringify(record) + "\n");
  return { status: "ok", content_hash: after };
}

connection.onExecuteCommand((params) => {
  if (params.command === "write") return write(params.arguments[0]);
  if (params.command === "refuse") return new ResponseError(ErrorCodes.InvalidParams, "unknown: unknown argument");
  return {};
});
documents.listen(connection);
connection.listen();
