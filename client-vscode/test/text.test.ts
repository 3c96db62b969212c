import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { ago, changeLabel, deed, definitions, firstLine, icon, lines, outcome } from '../src/text';
import { by, fileEntry, record } from './fakes/data';

const file = fileEntry('a.py');

describe('the age of a record', () => {
  for (const [timestamp, text] of [
    ['2026-02-18T18:30:00Z', 'just now'],
    ['2026-02-18T18:25:00Z', '5 minutes ago'],
    ['2026-02-18T16:31:00Z', '1 hour ago'],
    ['2026-02-16T18:00:00Z', '2 days ago'],
  ] as const) {
    test(`${timestamp} is ${text}`, () => {
      mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-02-18T18:30:20Z') });
      assert.equal(ago(timestamp), text);
      mock.timers.reset();
    });
  }
});

describe('the lines of a change', () => {
  test('of one author: only the lines', () => {
    assert.equal(lines(fileEntry('a.py', { conversations: [by('human', [3, 5], [9, 9])] })), 'lines 3-5, 9');
    assert.equal(lines(fileEntry('a.py', { conversations: [by('human', [9, 9])] })), 'line 9');
  });

  test('of several authors: each with its lines', () => {
    const both = fileEntry('a.py', { conversations: [by('anthropic/claude-opus-4-5', [2, 3]), by('human', [4, 4])] });
    assert.equal(lines(both), 'claude-opus-4-5 lines 2-3, a person line 4');
  });

  test('more than four stretches are cut short', () => {
    const many = by('human', [1, 1], [3, 3], [5, 5], [7, 7], [9, 9]);
    assert.equal(lines(fileEntry('a.py', { conversations: [many] })), 'lines 1, 3, 5, 7, …');
  });

  test('of a deletion: nothing, and no first line', () => {
    const deletion = fileEntry('a.py', { change: 'delete', conversations: [by('human')] });
    assert.equal(lines(deletion), '');
    assert.equal(firstLine(deletion), undefined);
  });

  test('the first line is that of the first author who has one', () => {
    assert.equal(firstLine(fileEntry('a.py', { conversations: [by('human'), by('openai/gpt-5', [7, 8])] })), 7);
  });
});

describe('the definitions of a change', () => {
  test('are each named once, the first three of them', () => {
    const both = [
      { ...by('human', [1, 1]), symbols: ['today', 'City.rain'] },
      { ...by('anthropic/claude-opus-4-5', [2, 2]), symbols: ['today', 'snow', 'wind'] },
    ];
    assert.equal(definitions(fileEntry('a.py', { conversations: both })), 'today, City.rain, snow, …');
    assert.equal(definitions(fileEntry('a.py', { conversations: [by('human', [1, 1])] })), '');
  });
});

describe('the label of a change', () => {
  test('says what was done and by whom, without the vendor', () => {
    const created = fileEntry('a.py', { change: 'add', conversations: [by('anthropic/claude-opus-4-5', [1, 2])] });
    assert.equal(changeLabel(record([created]), created), 'created by claude-opus-4-5');
  });

  test('calls people by name, and says for whom an agent worked', () => {
    const ada = { contributor: { type: 'human', name: 'Ada' } };
    const hers = { contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5', on_behalf_of: 'Ada' } };
    const file = fileEntry('a.py', { conversations: [ada, hers] });
    assert.equal(changeLabel(record([file]), file), 'changed by Ada, claude-opus-4-5 for Ada');
    assert.equal(icon(record([file]), fileEntry('a.py', { conversations: [ada] })), 'person');
    const nameless = fileEntry('a.py', { conversations: [{ contributor: { type: 'ai', on_behalf_of: 'Ada' } }] });
    assert.equal(changeLabel(record([nameless]), nameless), 'changed by an agent for Ada');
  });

  test('marks what somebody else attested', () => {
    const attested = { contributor: { type: 'human', name: 'Ben', attested_by: 'Ada' } };
    const file = fileEntry('a.py', { conversations: [attested] });
    assert.equal(changeLabel(record([file]), file), 'changed by Ben (attested)');
  });

  test('names each author once', () => {
    const both = fileEntry('a.py', { conversations: [by('openai/gpt-5', [1, 1]), by('human'), by('human', [3, 3])] });
    assert.equal(changeLabel(record([both]), both), 'changed by gpt-5, a person');
  });

  test('says so if no author is known', () => {
    const anonymous = fileEntry('a.py', { conversations: [] });
    assert.equal(changeLabel(record([anonymous]), anonymous), 'changed, author unknown');
  });

  test('tells who approved it', () => {
    const approved = record([file], { override: { by: 'ada', action: 'Approve' } });
    assert.equal(changeLabel(approved, file), 'changed by a person, approved by ada');
  });

  test('a refusal says to whom', () => {
    assert.equal(changeLabel(record([file], { success: false }), file), 'refused to a person');
    const anonymous = fileEntry('a.py', { conversations: [] });
    assert.equal(changeLabel(record([anonymous], { success: false }), anonymous), 'refused');
    assert.equal(outcome(record([file], { success: false }), file), 'refused');
  });

  test('an unknown kind of change is shown as the server calls it', () => {
    const copied = fileEntry('a.py', { change: 'copy' });
    assert.equal(outcome(record([copied]), copied), 'copy');
  });
});

test('the icon tells a person, an agent, an approval and a refusal apart', () => {
  const agents = fileEntry('a.py', { conversations: [by('openai/gpt-5', [1, 1])] });
  const override = { by: 'ada', action: 'Approve' };
  assert.equal(icon(record([file]), file), 'person');
  assert.equal(icon(record([agents]), agents), 'sparkle');
  assert.equal(icon(record([agents], { override }), agents), 'unlock');
  assert.equal(icon(record([agents], { override, success: false }), agents), 'error');
});

test('what was done is told without jargon', () => {
  assert.equal(deed(record([file], { tool_name: 'did_save', mutation_class: 'INTENT_EVOLUTION' })), 'saved by hand');
  assert.equal(deed(record([file], { tool_name: 'apply_patch', mutation_class: 'BUG_FIX' })), 'apply patch, bug fix');
});
