import assert from 'node:assert/strict';
import { operations } from '../harness/contract.ts';

/** Ways of ending a thing, by the last word of the path (choices pipeline.ending). */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  // Open by the interface: one verb for things, one for what lets others act.
  delete: ['files.delete', 'hosted.delete', 'memory.deleteSpace', 'webhooks.delete'],
  revoke: ['wallet.revokeApiKey', 'wallet.revokeKey'],
  // Not the same as a deletion, each for a reason of its own.
  withdraw: ['tasks.withdrawComment', 'wallet.withdraw'],
  close: ['worlds.close'],
  erase: ['wallet.erase'],
  // Words of the interface.
  abandon: ['chains.abandon'],
  cancel: ['tasks.cancel', 'wallet.recall'],
  leave: ['poker.leave'],
  resign: ['validators.resign'],
};
/** Other words for the same, which a new operation would take first. */
const WORDS = /^(?:archive|clear|destroy|discard|drop|end|purge|remove|retire|stop|unbind|unset)/;

describe('the verbs that end a thing', () => {
  const ending = operations.filter(({ method }) => method !== 'GET');

  it('are two where the interface leaves them open', () => {
    for (const [verb, ids] of Object.entries(ENDINGS)) {
      const own = ending.filter(({ path }) => path.endsWith(`/${verb}`));
      assert.deepEqual(own.map(({ operationId }) => operationId).sort(), ids, verb);
    }
  });

  it('have no other word', () => {
    const named = ending.flatMap(({ operationId, path }) => [
      operationId.split('.').at(-1) ?? '',
      path.split('/').at(-1) ?? '',
    ]);
    assert.deepEqual(
      named.filter((word) => WORDS.test(word)),
      [],
    );
  });
});
