/** A question that an agent put to the workspace, in the words that a person reads. */

import type { QuestionItem } from './protocol';

export type Action = 'Approve' | 'Reject' | 'Expand scope';

export type Question = Omit<QuestionItem, 'actions'> & { actions: Action[] };

/** Whether the person at this window asked for it: an intent that is closed, for instance. */
export function isOwnSelection({ own, tool, model, agent }: Question): boolean {
  return own && tool === 'select_active_intent' && model === null && agent === null;
}

/** What it is about, in a word: the files, else the intent or the tool. */
export function subject({ paths, tool, intent_id }: Question): string {
  if (paths.length > 0) return paths.join(', ');
  return tool === 'select_active_intent' && intent_id !== null ? `Select ${intent_id}` : tool.replaceAll('_', ' ');
}

/** What a person reads on the button of an action. */
export function title(action: Action, question: Question): string {
  const { intent_id } = question;
  if (isOwnSelection(question)) return action === 'Approve' ? 'Select' : 'Cancel';
  if (action === 'Approve') return 'Allow Once';
  if (action === 'Reject') return 'Reject';
  return `Add to ${intent_id === null ? "the Intent's" : `${intent_id}'s`} Scope`;
}

/** "claude-opus-4-5", "claude", or "An agent"; "You" for what the person at this window asked for */
export function asker(question: Question): string {
  const { model, agent } = question;
  if (isOwnSelection(question)) return 'You';
  return model?.split('/').at(-1) ?? agent ?? 'An agent';
}
