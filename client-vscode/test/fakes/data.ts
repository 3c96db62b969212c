/** Intents, records and proposals with everything in them; a test names what it is about. */

import type { FileEntry, LedgerRecord } from '../../src/ledgerRecord';
import type { Intent, Proposal } from '../../src/protocol';

export function intent(id: string, more: Partial<Intent> = {}): Intent {
  return {
    id,
    name: `Name of ${id}`,
    status: 'IN_PROGRESS',
    open: true,
    owned_scope: ['src/**'],
    constraints: [],
    acceptance_criteria: [],
    ...more,
  };
}

export function fileEntry(path: string, more: Partial<FileEntry> = {}): FileEntry {
  return { path, change: 'modify', conversations: [by('human', [3, 5])], ...more };
}

/** What one author did: `by('human', [3, 5])` changed lines 3 to 5. */
export function by(author: string, ...ranges: [number, number][]) {
  const contributor = author === 'human' ? { type: 'human' } : { type: 'ai', model_id: author };
  return { contributor, ranges: ranges.map(([start_line, end_line]) => ({ start_line, end_line })) };
}

export function record(files: FileEntry[], more: Partial<LedgerRecord> = {}): LedgerRecord {
  return {
    id: 'record-1',
    timestamp: '2026-02-18T18:30:00Z',
    intent_id: 'INT-001',
    tool_name: 'write_to_file',
    success: true,
    files,
    ...more,
  };
}

export function proposal(message: string, more: Partial<Proposal> = {}): Proposal {
  return {
    message,
    intent_id: 'INT-001',
    tool_name: 'write_to_file',
    code: 'SCOPE_VIOLATION',
    error: 'Scope Violation',
    paths: ['docs/notes.md'],
    timeout_s: 60,
    files: [{ path: 'docs/notes.md', change: 'add', before: null, after: '# Notes\n' }],
    ...more,
  };
}
