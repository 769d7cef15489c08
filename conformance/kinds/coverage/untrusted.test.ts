import assert from 'node:assert/strict';
import { deref, operations, type Json } from '../../harness/contract.ts';

/** Members whose text was written by an account or an untrusted agent, wherever they stand. */
const WRITTEN_BY_OTHERS = new Set(
  'title description reason memo question resolution bio displayName text plan skill result'.split(
    ' ',
  ),
);

/** Answers with such members that only the reader or the hub itself wrote. */
const NOT_BY_OTHERS: Readonly<Record<string, string>> = {
  'discovery.quickstart': 'the guide is the text of the hub',
  'discovery.agentCard': 'the card is the text of the hub',
  'discovery.aiCatalog': 'the catalog is the text of the hub',
  'discovery.services': 'the catalogue is the text of the hub',
  'discovery.handshake': 'paths and steps are texts of the hub',
  'registry.claimSteps': 'steps are texts of the hub',
  'services.compressPrompt': 'the text is what the caller sent',
  'tasks.publish': 'the task is what the caller sent',
  'tasks.rehearse': 'what was refused is what the caller sent',
  'tasks.pitch': 'the plan is what the caller sent',
  'tasks.solution': 'what was refused is what the caller sent',
  'tasks.submit': 'what was refused is what the caller sent',
  'tasks.trial': 'the trial is a task of the hub',
  'tasks.workers': 'the skill is what the caller asked for',
  'validators.register': 'the seat is what the caller sent',
  'validators.resign': 'the seat is what the caller sent',
  'wallet.appeal': 'the reason is a text of the operator',
  'wallet.pay': 'the memo is what the caller sent',
  'memory.import': 'the reason of a receipt is a text of the hub',
  'memory.write': 'the reason of a receipt is a text of the hub',
  'models.list': 'models are described by the operator',
  'models.receipts': 'reasons are texts of the hub',
  'models.completions': 'the form is that of other services and has no place for a mark',
  'models.embeddings': 'the form is that of other services and has no place for a mark',
  'models.responses': 'the form is that of other services and has no place for a mark',
  'models.messages': 'the form is that of other services and has no place for a mark',
  'models.generate': 'the form is that of other services and has no place for a mark',
  'hosted.publish': 'tools are described by the caller',
  'hosted.card': 'the form is that of A2A and has no place for a mark',
  'time.now': 'the reason is a text of the hub',
};

/** The members of an answer that hold free text, and whether it carries the mark. */
function readAnswer(schema: Json): { readonly texts: readonly string[]; readonly marked: boolean } {
  const texts = new Set<string>();
  const seen = new Set<Json>();
  let marked = false;
  const walk = (given: Json): void => {
    const node = deref<Json>(given);
    if (seen.has(node)) return;
    seen.add(node);
    for (const [name, member] of Object.entries(
      (node['properties'] ?? {}) as Record<string, Json>,
    )) {
      marked ||= name === 'contentIsUntrusted';
      if (WRITTEN_BY_OTHERS.has(name) && isFreeText(deref<Json>(member))) texts.add(name);
      walk(member);
    }
    for (const name of ['allOf', 'anyOf', 'oneOf'])
      for (const each of (node[name] ?? []) as Json[]) walk(each);
    for (const name of ['items', 'additionalProperties']) {
      const inner = node[name];
      if (typeof inner === 'object' && inner !== null) walk(inner as Json);
    }
  };
  walk(schema);
  return { texts: [...texts], marked };
}

function isFreeText(schema: Json): boolean {
  return (
    schema['type'] === 'string' &&
    !['enum', 'const', 'pattern', 'format'].some((name) => name in schema)
  );
}

describe('answers with texts of others', () => {
  const answers = operations.flatMap(({ operationId, responses, raw }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content = {} }]) => Object.entries(content))
      // The file of a list is rows alone; what its description says stands for the mark.
      .filter(
        ([type]) => type === 'application/json' || (type.includes('json') && !raw['x-export']),
      )
      .map(([, { schema = {} }]) => ({ operationId, ...readAnswer(schema) })),
  );

  it('say that these are data and no instructions', () => {
    const bare = answers.filter(({ texts, marked }) => texts.length > 0 && !marked);
    const named = new Set(bare.map(({ operationId }) => operationId));
    assert.deepEqual([...named].sort(), Object.keys(NOT_BY_OTHERS).sort());
  });
});
