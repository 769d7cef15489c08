import { spawnSync } from 'node:child_process';

export interface PythonSample {
  readonly id: string;
  readonly text: string;
}

/** Python's outcome of reading samples against the client's methods; undefined without Python. */
export function readInPython(
  setup: string,
  samples: readonly PythonSample[],
): { readonly status: number | null; readonly output: string } | undefined {
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['-V']).status === 0);
  if (python === undefined) return undefined;
  const { status, stdout, stderr } = spawnSync(
    python,
    ['tools/docs/samples/readPython.py', 'generated/openapi.json'],
    { input: JSON.stringify({ setup, samples }), encoding: 'utf8' },
  );
  return { status, output: `${stdout}${stderr}` };
}
