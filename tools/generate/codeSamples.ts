import { sampleCall, signedTwin } from '../docs/samples/call.ts';
import { curl, SETUP as CURL_SETUP } from '../docs/samples/curl.ts';
import { python, SETUP as PYTHON_SETUP } from '../docs/samples/python.ts';
import { typescript, SETUP as TYPESCRIPT_SETUP } from '../docs/samples/typescript.ts';
import { eachOperation, type Document } from './document.ts';

/**
 * Adds `x-codeSamples` to each operation, in the form that Redoc reads. The lines that every sample
 * of a language needs before it are in the document once, as `x-codeSetup`.
 */
export async function addCodeSamples(document: Document): Promise<void> {
  const calls = eachOperation(document).map((placed) => sampleCall(document, placed));
  for (const call of calls) {
    const samples = [
      { lang: 'Shell', label: 'curl', source: curl(call) },
      { lang: 'TypeScript', source: await typescript(call) },
      { lang: 'Python', source: python(document, signedTwin(calls, call)) },
    ];
    Object.assign(call.operation, { 'x-codeSamples': samples });
  }
  Object.assign(document, {
    'x-codeSetup': { Shell: CURL_SETUP, TypeScript: TYPESCRIPT_SETUP, Python: PYTHON_SETUP },
  });
}
