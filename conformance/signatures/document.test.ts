import assert from 'node:assert/strict';
import { fixtureKey, policyAt } from '../../domain/httpsig/fixture.ts';
import { HTTPSIG_LIMITS } from '../../domain/httpsig/limits.ts';
import { inspect } from '../../domain/httpsig/inspect.ts';
import { document } from '../harness/contract.ts';

/** A client signs from the document alone: the examples of its security schemes must verify. */
const { signature, signatureInput } = document.components['securitySchemes'] as unknown as Readonly<
  Record<'signature' | 'signatureInput', { readonly description: string }>
>;
const code = signature.description.split('\n').filter((line) => line.startsWith('    '));
const shown = code.map((line) => line.trim());
const base = shown.filter((line) => line.startsWith('"@') || line.startsWith('"content'));
const signed = shown.at(-1) ?? '';
const seed = Buffer.from(/`([0-9a-f]{64})`/.exec(signature.description)?.[1] ?? '', 'hex');
const valueOf = (name: string): string =>
  base.find((line) => line.startsWith(`"${name}": `))?.slice(name.length + 4) ?? '';

describe('the description of the security schemes', () => {
  it('has an example whose bytes are the signature of its base', () => {
    const made = fixtureKey(seed).sign(Buffer.from(base.join('\n')));
    assert.equal(Buffer.from(made).toString('base64'), signed);
  });

  it('has an example that the verifier takes', () => {
    const body = /body `([^`]+)`/.exec(signature.description.replaceAll('\n', ' '))?.[1] ?? '';
    const authority = valueOf('@authority');
    const parameters = valueOf('@signature-params');
    const headers = [
      ['Host', authority],
      ['Content-Digest', valueOf('content-digest')],
      ['Signature-Input', `sig1=${parameters}`],
      ['Signature', `sig1=:${signed}:`],
    ];
    const created = Number(/created=(\d+)/.exec(parameters)?.[1]);
    const verdict = inspect(
      {
        method: valueOf('@method'),
        target: valueOf('@path'),
        headers: headers.flat(),
        body: Buffer.from(body),
      },
      policyAt(created, { origins: [`http://${authority}`] }),
    );
    assert.equal(verdict.kind, 'verified', JSON.stringify(verdict));
  });

  it('names the limits that the verifier has', () => {
    const { maxAgeSeconds, nonceLengthMin, nonceLengthMax } = HTTPSIG_LIMITS;
    assert.ok(signatureInput.description.includes(`within ${maxAgeSeconds} of the hub`));
    const nonce = `${nonceLengthMin} to ${nonceLengthMax} characters`;
    assert.ok(signatureInput.description.includes(nonce));
  });
});
