import assert from 'node:assert/strict';
import { problemTexts as P } from '../texts/problems.ts';
import { accountProblem, addressProblem, evmProblem } from './problems.ts';

const KEY = 'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeRa';

describe('a problem of a field', () => {
  it('says how an address begins, once it can no longer begin so', () => {
    const cases = {
      '': undefined,
      h: undefined,
      'HTTPS:/': undefined,
      'https://': undefined,
      'https://agent.example/mcp': undefined,
      'http://127.0.0.1:4020': undefined,
      'agent.example': P.scheme,
      'ftp://agent.example': P.scheme,
      'httpx://agent.example': P.scheme,
      'https:///mcp': P.host,
      'https://?x': P.host,
      'https://a b.example': P.space,
      'https://[': P.host,
      'javascript:alert(1)': P.scheme,
    };
    for (const [typed, problem] of Object.entries(cases)) {
      assert.equal(addressProblem(typed), problem, typed);
    }
  });

  it('says what is wrong with an account', () => {
    const cases = {
      '': undefined,
      ke: undefined,
      'key:': undefined,
      [KEY]: undefined,
      [` ${KEY} `]: undefined,
      'external:burned': undefined,
      'hub:starter': undefined,
      [KEY.slice(4)]: P.account,
      maria: P.account,
      [KEY.slice(0, -20)]: P.keyShort(8),
      [`${KEY}11`]: P.keyLong(2),
      'key:0OIl': P.keyLetters,
      'key:a b': P.keyLetters,
    };
    for (const [typed, problem] of Object.entries(cases)) {
      assert.equal(accountProblem(typed), problem, typed);
    }
  });

  it('counts the characters of an address of a chain', () => {
    const address = `0x${'aB'.repeat(20)}`;
    const cases = {
      '': undefined,
      '0': undefined,
      '0X': undefined,
      [address]: undefined,
      [address.slice(2)]: P.evm,
      [address.slice(0, -1)]: P.evmCount(39),
      [`${address}0`]: P.evmCount(41),
      '0xzz': P.evmDigits,
    };
    for (const [typed, problem] of Object.entries(cases)) {
      assert.equal(evmProblem(typed), problem, typed);
    }
  });
});
