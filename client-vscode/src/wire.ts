/** The parts of the server's answers that this extension shows. It decides nothing on them. */

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

export interface TracedFile {
  path: string;
  change: string;
  conversations?: Conversation[];
}

export interface Entry {
  id: string;
  timestamp: string;
  intent_id: string;
  tool_name: string;
  mutation_class?: string;
  success: boolean;
  error?: string;
  override?: { by: string; action: string };
  files: TracedFile[];
}

export interface Verification {
  ok: boolean;
  records: number;
  problems: { line: number; kind: string; message: string }[];
}

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

interface Refusal {
  status: 'error';
  error: string;
}

export type Answer<T> = ({ status: 'ok' } & T) | Refusal;
