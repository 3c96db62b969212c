/** Intents, records and proposals with everything in them; a test names what it is about. */

import type { FileEntry, LedgerRecord } from '../../src/ledgerRecord';
import type { Intent, RootState } from '../../src/protocol';
import type { Question } from '../../src/question';

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

export function question(more: Partial<Question> = {}): Question {
  return {
    id: 'q-1',
    root: 'file:///work/app',
    own: false,
    agent: 'claude',
    model: 'anthropic/claude-opus-4-5',
    session_id: 'agent-1',
    intent_id: 'INT-001',
    intent_name: 'Name of INT-001',
    code: 'SCOPE_VIOLATION',
    tool: 'write_to_file',
    text: 'claude-opus-4-5 wants to create docs/notes.md, outside INT-001 (src/**).',
    markdown: '',
    reason: null,
    paths: ['docs/notes.md'],
    files: [{ path: 'docs/notes.md', change: 'add' }],
    actions: ['Approve', 'Reject', 'Expand scope'],
    asked_at: '2026-02-18T18:30:00Z',
    timeout_s: 60,
    ...more,
  };
}

export function rootState(more: Partial<RootState> = {}): RootState {
  return {
    root: '/work/app',
    name: 'app',
    state: 'idle',
    text: 'No intent is selected.',
    blocked: false,
    intent_id: null,
    intent_name: null,
    status: null,
    owned_scope: [],
    problem: null,
    elsewhere: null,
    ...more,
  };
}

export function activeRoot(id: string, more: Partial<RootState> = {}): RootState {
  const intent = { intent_id: id, intent_name: `Name of ${id}`, status: 'IN_PROGRESS', owned_scope: ['src/**'] };
  return rootState({ state: 'active', text: `${id} Name of ${id}`, ...intent, ...more });
}
