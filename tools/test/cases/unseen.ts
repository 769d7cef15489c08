import { setImmediate as turn } from 'node:timers/promises';

describe('a promise without a handler', () => {
  it('fails the test that made it', async () => {
    void Promise.reject(new Error('not looked at'));
    await turn();
    await new Promise(() => undefined);
  });
});
