import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operationTable } from '../generated/operations.ts';
import { importGraph } from './imports.ts';

/**
 * The first unit of work in the name of a caller takes the nonce of its request and judges its key
 * (workflows/kernel/handler.ts). What a handler changes by other units alone is changed before that.
 */
const IN_ITS_NAME = /\bhub\.(?:act|once|transact|transactOnce)\(|\badmitNow\(/;

const changing = Object.values(operationTable).filter(
  ({ auth, method }) => method !== 'GET' && (auth === 'signed' || auth === 'optional'),
);

describe('the handler of a signed request', () => {
  for (const { id } of changing) {
    it(`works for ${id} in the name of its caller`, () => {
      const handler = `handlers/${id.replace('.', '/')}.ts`;
      const [imported = []] = importGraph([handler]).values();
      const workflows = imported.filter((path) => path.startsWith('workflows/'));
      const texts = [handler, ...workflows].map((path) => readFileSync(path, 'utf8'));
      assert.ok(texts.some((text) => IN_ITS_NAME.test(text)));
    });
  }

  it('is there for most operations', () => {
    assert.ok(changing.length > 60, `${changing.length} operations`);
  });
});
