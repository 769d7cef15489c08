import assert from 'node:assert/strict';
import { errorTable } from '../../../generated/errors.ts';
import { leadsOn } from '../../harness/hints.ts';
import { GAMES_AND_TIME } from '../hints/_games.ts';
import { HUB, WITHOUT_FAUCET } from '../hints/_hub.ts';
import { IDENTITIES } from '../hints/_identities.ts';
import { JUDGES } from '../hints/_judges.ts';
import { MONEY } from '../hints/_money.ts';
import { ON_CHAIN } from '../hints/_onChain.ts';
import { REQUESTS } from '../hints/_requests.ts';
import { SERVICES } from '../hints/_services.ts';
import { PROVOKED } from '../../pipeline/_provokedCalls.ts';
import { CODE_FAMILIES } from '../../tasks/_codes.ts';

/** Each code of the contract is met by a request of a test that follows its hint. */
describe('every code of a refusal', () => {
  const tables = [
    ...[PROVOKED, REQUESTS, MONEY, ON_CHAIN, JUDGES, SERVICES, IDENTITIES],
    ...[GAMES_AND_TIME, HUB, WITHOUT_FAUCET],
  ];
  const matched = new Set(tables.flatMap((table) => Object.keys(table)));
  const entries = Object.values(errorTable);

  it('is provoked, and its hint followed', () => {
    const missing = entries.filter(({ code, family }) => {
      return !matched.has(code) && !CODE_FAMILIES.includes(family);
    });
    assert.deepEqual(
      missing.map(({ code }) => code),
      [],
    );
  });

  it('has a hint that says what to send next', () => {
    const silent = entries.filter(({ hint }) => !leadsOn(hint));
    assert.deepEqual(
      silent.map(({ code, hint }) => `${code}: ${hint}`),
      [],
    );
  });
});
