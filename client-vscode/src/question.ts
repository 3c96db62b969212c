/** A question that an agent put to the workspace, as the server sends it (docs/reference/questions.md). */

export interface QuestionFile {
  path: string;
  change: 'add' | 'modify' | 'delete' | 'rename';
  old_path?: string;
}

export interface Question {
  id: string;
  root: string;
  own: boolean;
  agent: string | null;
  model: string | null;
  session_id: string;
  intent_id: string | null;
  intent_name: string | null;
  code: string;
  tool: string;
  text: string;
  markdown: string;
  reason: string | null;
  paths: string[];
  files: QuestionFile[];
  actions: Action[];
  asked_at: string;
  timeout_s: number;
}

export type Action = 'Approve' | 'Reject' | 'Expand scope';

/** A file before and after: null where there is none, left out where it can't be shown as text. */
export interface Contents {
  path: string;
  before?: string | null;
  after?: string | null;
}

export interface Answered {
  status: 'ok' | 'error';
  message?: string;
}

/** What a person reads on the button of an action. */
export function title(action: Action, { intent_id }: Question): string {
  if (action === 'Approve') return 'Allow Once';
  if (action === 'Reject') return 'Reject';
  return `Add to ${intent_id === null ? "the Intent's" : `${intent_id}'s`} Scope`;
}

/** "claude-opus-4-5", "claude", or "An agent" */
export function asker({ model, agent }: Question): string {
  return model?.split('/').at(-1) ?? agent ?? 'An agent';
}
