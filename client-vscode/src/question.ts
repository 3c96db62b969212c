/** A question that an agent put to the workspace, in the words that a person reads. */

import type { QuestionItem } from './protocol';

export type Action = 'Approve' | 'Reject' | 'Expand scope';

export type Question = Omit<QuestionItem, 'actions'> & { actions: Action[] };

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
