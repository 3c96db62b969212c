/** How records read. */

import type { Conversation, Entry, TracedFile } from './wire';

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [['day', 86_400], ['hour', 3_600], ['minute', 60]];
const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "5 minutes ago" */
export function ago(timestamp: string): string {
  const seconds = (Date.parse(timestamp) - Date.now()) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? 'just now' : FORMAT.format(Math.trunc(seconds / size), unit);
}

/** "human", "claude-opus-4-5", or the kind of author where no model is known */
function author({ contributor }: Conversation): string {
  return contributor?.model_id?.split('/').at(-1) ?? contributor?.type ?? 'unknown';
}

function authors(file: TracedFile): string {
  return [...new Set((file.conversations ?? []).map(author))].join(', ') || 'unknown';
}

/** "lines 3-5, 9", with several authors "claude-opus-4-5 lines 3-5, human line 9"; empty for a deletion */
export function lines(file: TracedFile): string {
  const parts = (file.conversations ?? []).filter((each) => each.ranges?.length);
  return parts.map((each) => (parts.length > 1 ? `${author(each)} ${ranges(each)}` : ranges(each))).join(', ');
}

function ranges(conversation: Conversation): string {
  const texts = (conversation.ranges ?? []).map(({ start_line: start, end_line: end }) => (start === end ? `${start}` : `${start}-${end}`));
  const one = texts.length === 1 && !texts[0]?.includes('-');
  return `${one ? 'line' : 'lines'} ${[...texts.slice(0, 4), ...(texts.length > 4 ? ['…'] : [])].join(', ')}`;
}

export function firstLine(file: TracedFile): number | undefined {
  return file.conversations?.flatMap((each) => each.ranges ?? [])[0]?.start_line;
}

const VERBS: Record<string, string> = { add: 'created', modify: 'changed', delete: 'deleted', rename: 'renamed' };

/** "changed", "refused" */
export function outcome(entry: Entry, file: TracedFile): string {
  return entry.success ? (VERBS[file.change] ?? file.change) : 'refused';
}

/** "changed by human", "refused", "created by claude-opus-4-5 (Approve by ada)" */
export function deed(entry: Entry, file: TracedFile): string {
  if (!entry.success) return 'refused';
  const who = authors(file);
  const override = entry.override ? ` (${entry.override.action} by ${entry.override.by})` : '';
  return `${outcome(entry, file)}${who === 'unknown' ? ', author unknown' : ` by ${who}`}${override}`;
}

/** An icon that tells a person's work from an agent's, and from what was refused. */
export function icon(entry: Entry, file: TracedFile): string {
  if (!entry.success) return 'error';
  if (entry.override) return 'unlock';
  return authors(file) === 'human' ? 'person' : 'sparkle';
}
