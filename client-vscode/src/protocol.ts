/** What the server and this extension send each other: types only. The extension shows the answers, it decides nothing. */

export interface Intent {
  id: string;
  name: string;
  status: string;
  open: boolean;
  owned_scope: string[];
}

export interface Session {
  state: 'IDLE' | 'ACTIVE';
  intent_id: string | null;
}

export interface Conversation {
  contributor?: { type: string; model_id?: string };
  ranges?: { start_line: number; end_line: number }[];
}

/** What a record says of one file. */
export interface FileEntry {
  path: string;
  change: string;
  conversations?: Conversation[];
}

/** A line of the ledger. */
export interface LedgerRecord {
  id: string;
  timestamp: string;
  intent_id: string;
  tool_name: string;
  mutation_class?: string;
  success: boolean;
  error?: string;
  override?: { by: string; action: string };
  files: FileEntry[];
}

export interface Verification {
  ok: boolean;
  records: number;
  problems: { line: number; kind: string; message: string }[];
}

/** The server's commands that this extension runs: what each takes and what it answers when it succeeds. */
export interface Commands {
  'intent.listIntents': { argument: Record<string, never>; answer: { intents: Intent[] } };
  'intent.getActiveIntent': { argument: Record<string, never>; answer: Session };
  'intent.selectActiveIntent': { argument: { intent_id: string }; answer: object };
  'intent.clearActiveIntent': { argument: Record<string, never>; answer: object };
  'intent.queryTrace': {
    argument: { limit: number; path?: string; intent_id?: string };
    answer: { entries: LedgerRecord[] };
  };
  'intent.verifyTrace': { argument: Record<string, never>; answer: Verification };
  'intent.recordLesson': { argument: { path: string; problems: object[] }; answer: { recorded: number } };
}

export type CommandId = keyof Commands;

export interface Refusal {
  status: 'error';
  error: string;
}

export type Answer<Id extends CommandId> = ({ status: 'ok' } & Commands[Id]['answer']) | Refusal;

export interface ProposedFile {
  path: string;
  old_path?: string;
  change: 'add' | 'modify' | 'delete' | 'rename';
  /** Absent: can't be shown as text. Null: the file does not exist then. */
  before?: string | null;
  after?: string | null;
}

/** `intentls/proposed`: what the question that follows is about. */
export interface Proposal {
  message: string;
  intent_id: string | null;
  tool_name: string;
  error: string;
  paths: string[];
  timeout_s: number;
  files: ProposedFile[];
}
