import { contractOf } from '../../../clients/typescript/cli/contractOf.ts';
import { eachOperation, type Document } from '../../generate/document.ts';
import { sampleCall, signedTwin, type SampleCall } from './call.ts';
import { curl, SETUP as CURL_SETUP } from './curl.ts';
import { python, SETUP as PYTHON_SETUP } from './python.ts';
import { SETUP as TERMINAL_SETUP, terminal } from './terminal.ts';
import { SETUP as TYPESCRIPT_SETUP, typescript } from './typescript.ts';

export type Language = 'typescript' | 'python' | 'terminal' | 'curl';

export const LANGUAGES: Readonly<Record<Language, string>> = {
  typescript: 'TypeScript',
  python: 'Python',
  terminal: 'Command line',
  curl: 'curl',
};

export const SETUPS: Readonly<Record<Language, string>> = {
  typescript: TYPESCRIPT_SETUP,
  python: PYTHON_SETUP,
  terminal: TERMINAL_SETUP,
  curl: CURL_SETUP,
};

/** One operation in each language, with what each of them sends. */
export interface Sample {
  readonly call: SampleCall;
  /** The call of the signing clients: the same, except where the operation takes an API key. */
  readonly signedCall: SampleCall;
  readonly text: Readonly<Record<Language, string>>;
}

/** The samples of every operation by its id, from the examples of the contract. */
export async function samplesOf(document: Document): Promise<ReadonlyMap<string, Sample>> {
  const calls = eachOperation(document).map((placed) => sampleCall(document, placed));
  const commands = new Map(contractOf(document).map((each) => [each.id, each]));
  const samples = await Promise.all(
    calls.map(async (call): Promise<readonly [string, Sample]> => {
      const signedCall = signedTwin(calls, call);
      const command = commands.get(signedCall.operation.operationId);
      if (command === undefined) throw new Error('the command line lacks an operation');
      const text = {
        typescript: await typescript(call),
        python: python(document, signedCall),
        terminal: terminal(signedCall, command),
        curl: curl(call),
      };
      return [call.operation.operationId, { call, signedCall, text }];
    }),
  );
  return new Map(samples);
}
