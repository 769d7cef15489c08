/** A worker's code stands as `worker` beside its module: `.ts` under a loader, else `.js`. */
export function workerBeside(moduleUrl: string): URL {
  return new URL(fromSource() ? './worker.ts' : './worker.js', moduleUrl);
}

/** Threads do not inherit the loader that reads TypeScript, so a source tree registers it there. */
export function loaderArguments(): string[] {
  if (!fromSource()) return [];
  return ['--import', new URL('./sourceLoader.mjs', import.meta.url).href];
}

function fromSource(): boolean {
  return import.meta.url.endsWith('.ts');
}
