// Verifies a ledger of intentls with its signatures: a second implementation, made from docs/reference/signatures.md.
//   node verify-ledger.mjs [ROOT] [REF]      REF is the commit whose first commit and allowed_signers count (HEAD)
import { createHash } from "node:crypto";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const [root = ".", ref = "HEAD"] = process.argv.slice(2);
const trace = join(root, ".orchestration", "trace");
const names = readdirSync(trace).sort();
const git = (...args) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const sha256 = (data) => "sha256:" + createHash("sha256").update(data).digest("hex");
const bytes = (name) => Buffer.from(readFileSync(join(trace, name), "latin1").replaceAll("\r\n", "\n"), "latin1");
const linesOf = (data) => data.toString("latin1").split("\n").filter((line) => line.trim()).map((line) => Buffer.from(line, "latin1"));
const word = (text) => Array.from(Buffer.from(text), (b) => (/[\w./~-]/.test(String.fromCharCode(b)) ? String.fromCharCode(b) : "%" + b.toString(16).toUpperCase().padStart(2, "0"))).join("");
const problems = [], signed = {}, chains = new Map();
const problem = (name, what) => problems.push(`${name}: ${what}`);

// 1. The chains: a writer's records are numbered from 1, and each cites the hash of the line before it.
const segments = names.filter((name) => name.endsWith(".jsonl"));
for (const name of [...names.filter((name) => name.endsWith(".jsonl.gz")), ...segments])
  for (const line of linesOf(name.endsWith(".gz") ? gunzipSync(readFileSync(join(trace, name))) : bytes(name))) {
    let chain;
    try { ({ chain } = JSON.parse(line)); } catch { chain = undefined; }
    if (!chain) { problem(name, "a line is no record in a chain"); continue; }
    const writer = chains.get(chain.writer) ?? new Map(), known = writer.get(chain.seq);
    if (known && known.hash !== sha256(line)) problem(name, `number ${chain.seq} stands there twice`);
    chains.set(chain.writer, writer.set(chain.seq, { hash: sha256(line), prev: chain.prev }));
  }
if (names.some((name) => name.endsWith(".jsonl.zst"))) problem(trace, "this program reads no Zstandard archives");
for (const [name, writer] of chains)
  for (let seq = 1, last = [...writer.keys()].reduce((a, b) => Math.max(a, b)), prev = null; seq <= last; prev = writer.get(seq++)?.hash)
    if (!writer.has(seq)) { problem(name, `number ${seq} is missing`); break; }
    else if (writer.get(seq).prev !== prev) problem(name, `number ${seq} cites another line`);

// 2. The signatures: what is signed must be what is there, by a key of the list, for this repository.
const first = git("rev-list", "--max-parents=0", ref).split("\n").filter(Boolean);
const place = git("rev-parse", "--show-prefix").trim().replace(/\/$/, "") || ".";
const folder = mkdtempSync(join(tmpdir(), "verify-ledger-"));
const [list, armour] = [join(folder, "signers"), join(folder, "sig")];
writeFileSync(list, git("show", `${ref}:./.orchestration/allowed_signers`));
const keygen = (input, ...args) => spawnSync("ssh-keygen", ["-Y", ...args, "-s", armour], { input, encoding: "utf8" });
const block = /((?:[a-z][^\n]*\n)+)(-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]+\n-----END SSH SIGNATURE-----\n)/gy;
const follows = ([writer, from, to, before, head]) => {
  for (let seq = +to, hash = head, line; seq >= +from; seq--, hash = line.prev ?? "-") if ((line = chains.get(writer)?.get(seq))?.hash !== hash) return false;
  return (chains.get(writer).get(+from).prev ?? "-") === before;
};
for (const name of names.filter((name) => /\.sig(\.gz)?$/.test(name))) {
  const text = (name.endsWith(".gz") ? gunzipSync(readFileSync(join(trace, name))) : bytes(name)).toString("latin1");
  const blocks = [...text.matchAll(block)];
  if (!blocks.length || blocks.map(([all]) => all).join("") !== text) problem(name, "it holds something else than signatures");
  for (const [, statement, signature] of blocks) {
    const [kind, repository, at, segment, content, ...parts] = statement.split("\n").slice(0, -1).map((line) => line.split(" ").slice(1));
    const file = segments.find((known) => word(known) === segment?.[0]), beside = name.startsWith("packed-") ? file : name.replace(/(\.[0-9a-f]{12})?\.sig$/, "");
    writeFileSync(armour, signature);
    const who = keygen("", "find-principals", "-f", list).stdout.trim().split("\n")[0].split(",")[0];
    if (!who || keygen(statement, "verify", "-f", list, "-I", who, "-n", "segment@intentls").status !== 0) problem(name, "no key of the list signed this");
    else if (kind[0] !== "1" || !first.includes(repository[0])) problem(name, "it is of another repository");
    else if (at[0] !== word(place) || (beside && word(beside) !== segment[0])) problem(name, "it is of another segment");
    else if (file ? content[0] !== sha256(bytes(file)) : !parts.every(follows)) problem(name, "its segment holds something else than what was signed");
    else (signed[segment[0]] ??= []).push(who);
  }
}
rmSync(folder, { recursive: true });
const records = [...chains.values()].reduce((sum, writer) => sum + writer.size, 0);
console.log(JSON.stringify({ records, problems, signed, unsigned: segments.filter((name) => !signed[word(name)]) }, null, 2));
process.exitCode = problems.length ? 1 : 0;
