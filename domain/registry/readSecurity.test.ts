import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { isRequired, schemeNames } from './readSecurity.ts';

describe('the authentication of a card', () => {
  it('is named in one word for each scheme, in every shape', () => {
    const named = (securitySchemes: unknown, authentication?: unknown): readonly string[] =>
      schemeNames({ securitySchemes, authentication });
    const cases: readonly (readonly [scheme: unknown, ...names: string[]])[] = [
      [{ httpAuthSecurityScheme: { scheme: 'Bearer' } }, 'bearer'],
      [{ httpAuthSecurityScheme: {} }, 'http'],
      [{ httpAuthSecurityScheme: 'x' }, 'httpauth'],
      [{ oauth2SecurityScheme: {} }, 'oauth2'],
      [{ type: 'http', scheme: 'Basic' }, 'basic'],
      [{ type: 'http' }, 'http'],
      [{ type: 'mutualTLS' }, 'mutualtls'],
      [{ flows: {} }, 'oauth2'],
      [{ openIdConnectUrl: 'x' }, 'openidconnect'],
      [{ scheme: 'Bearer' }, 'bearer'],
      [{ in: 'header' }, 'apikey'],
      [{ location: 'header' }, 'apikey'],
      [{ name: 'x' }],
      ['bearer'],
    ];
    for (const [scheme, ...names] of cases) {
      assert.deepEqual(named({ a: scheme, b: scheme }), names, JSON.stringify(scheme));
    }
    assert.deepEqual(named(undefined, { schemes: ['Bearer', 7, 'bearer', 'none'] }), [
      'bearer',
      'none',
    ]);
    assert.deepEqual(named(['x'], 'bearer'), []);
    const many = Array.from({ length: 30 }, (_, nth) => `s${nth}`);
    assert.equal(named({}, { schemes: many }).length, 20);
  });

  it('is required unless a requirement is empty', () => {
    const cases: readonly (readonly [JsonObject, boolean])[] = [
      [{}, false],
      [{ security: [{ a: [] }] }, true],
      [{ security: [{ a: [] }, {}] }, false],
      [{ security: ['x'] }, false],
      [{ securityRequirements: [{ schemes: { a: {} } }] }, true],
      [{ securityRequirements: [{ schemes: {} }] }, false],
      [{ securityRequirements: [{ schemes: { a: {} } }], security: [{}] }, false],
      [{ authentication: { schemes: ['none', 'Bearer'] } }, true],
      [{ authentication: { schemes: ['None', 'public', ''] } }, false],
      [{ authentication: { schemes: ['bearer'] }, security: [{}] }, false],
      [{ authentication: ['bearer'] }, false],
    ];
    for (const [given, required] of cases) {
      assert.equal(isRequired(given), required, JSON.stringify(given));
    }
  });
});
