import assert from 'node:assert/strict';
import { portsFrom } from '../clients/examples/freePort.ts';

/** So many ports end one block and begin the next. */
const PORTS = 150;

describe('free ports', () => {
  it('are others in each of two searches that begin at the same place', async () => {
    const searches = [portsFrom(0.5), portsFrom(0.5)];
    const asked = Array.from({ length: PORTS }, () => searches.map((search) => search())).flat();
    const ports = await Promise.all(asked);
    assert.equal(new Set(ports).size, 2 * PORTS);
  });
});
