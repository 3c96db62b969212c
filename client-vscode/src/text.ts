/** Records of the ledger in words. */

import type { Conversation, FileEntry, LedgerRecord } from './ledgerRecord';

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "5 minutes ago" */
export function ago(timestamp: string): string {
  const seconds = (Date.parse(timestamp) - Date.now()) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? 'just now' : FORMAT.format(Math.trunc(seconds / size), unit);
}

const KINDS: Record<string, string> = { human: 'a person', ai: 'an agent' };

/** "Ada", "claude-opus-4-5 for Ada", and where no name or model is known the kind of author; with "(attested)" if so */
function author({ contributor }: Conversation): string {
  if (!contributor) return 'unknown';
  const { type, model_id, name, on_behalf_of, attested_by } = contributor;
  const agent = model_id?.split('/').at(-1) ?? KINDS[type] ?? type;
  const who =
    type === 'human' ? (name ?? agent) : type === 'ai' && on_behalf_of ? `${agent} for ${on_behalf_of}` : agent;
  return attested_by ? `${who} (attested)` : who;
}

function authors(file: FileEntry): string {
  return [...new Set((file.conversations ?? []).map(author))].join(', ') || 'unknown';
}

/** "lines 3-5, 9", with several authors "claude-opus-4-5 lines 3-5, Ada line 9"; empty for a deletion */
export function lines(file: FileEntry): string {
  const parts = (file.conversations ?? []).filter((conversation) => conversation.ranges?.length);
  return parts.map((part) => (parts.length > 1 ? `${author(part)} ${ranges(part)}` : ranges(part))).join(', ');
}

function ranges(conversation: Conversation): string {
  const texts = (conversation.ranges ?? []).map(({ start_line: start, end_line: end }) =>
    start === end ? `${start}` : `${start}-${end}`,
  );
  const one = texts.length === 1 && !texts[0]?.includes('-');
  return `${one ? 'line' : 'lines'} ${[...texts.slice(0, 4), ...(texts.length > 4 ? ['…'] : [])].join(', ')}`;
}

/** "City.rain, today, …": the definitions that were changed; empty where none is known */
export function definitions(file: FileEntry): string {
  const names = [...new Set((file.conversations ?? []).flatMap(({ symbols }) => symbols ?? []))];
  return [...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join(', ');
}

export function firstLine(file: FileEntry): number | undefined {
  return file.conversations?.flatMap((conversation) => conversation.ranges ?? [])[0]?.start_line;
}

const VERBS: Record<string, string> = { add: 'created', modify: 'changed', delete: 'deleted', rename: 'renamed' };

/** "changed", "refused" */
export function outcome(record: LedgerRecord, file: FileEntry): string {
  return record.success ? (VERBS[file.change] ?? file.change) : 'refused';
}

/** "changed by Ada", "refused to claude-opus-4-5", "created by claude-opus-4-5, approved by ada", "…, out of scope" */
export function changeLabel(record: LedgerRecord, file: FileEntry): string {
  const who = authors(file);
  if (!record.success) return who === 'unknown' ? 'refused' : `refused to ${who}`;
  const override = record.override ? `, approved by ${record.override.by}` : '';
  const outside = record.scope_validation === 'FAIL' && !record.override ? ', out of scope' : '';
  return `${outcome(record, file)}${who === 'unknown' ? ', author unknown' : ` by ${who}`}${override}${outside}`;
}

const DEEDS: Record<string, string> = { did_save: 'saved by hand', did_rename: 'renamed by hand' };

/** What was done, by which tool, in words for people; "" for what says nothing to them. */
export function deed({ tool_name, mutation_class }: LedgerRecord): string {
  const what = DEEDS[tool_name] ?? tool_name.replaceAll('_', ' ');
  const kind = mutation_class === 'BUG_FIX' || mutation_class === 'DOCUMENTATION' ? mutation_class : '';
  return [what, kind.toLowerCase().replaceAll('_', ' ')].filter((part) => part).join(', ');
}

/** The icon of a change: by a person, by an agent, approved, or refused. */
export function icon(record: LedgerRecord, file: FileEntry): string {
  if (!record.success) return 'error';
  if (record.override) return 'unlock';
  if (record.scope_validation === 'FAIL') return 'warning';
  const kinds = (file.conversations ?? []).map(({ contributor }) => contributor?.type);
  return kinds.length > 0 && kinds.every((kind) => kind === 'human') ? 'person' : 'sparkle';
}
