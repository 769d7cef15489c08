import ts from 'typescript';
import type { Hub, unwrap } from '../../../clients/typescript/index.ts';

interface Names {
  readonly hub: Hub;
  readonly unwrap: typeof unwrap;
  readonly key: { readonly account: string };
}

/** Runs a sample with these names in the place of the lines that it needs before it. */
export async function runTypeScript(
  text: string,
  { hub, unwrap: opened, key }: Names,
): Promise<void> {
  const { outputText } = ts.transpileModule(`return async () => { ${text} };`, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  // The text is this project's own, made from its contract a moment ago.
  const made = new Function('hub', 'unwrap', 'key', outputText) as (
    ...names: readonly unknown[]
  ) => () => Promise<void>;
  await made(hub, opened, key)();
}
