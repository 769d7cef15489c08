/** What needs the library of chains, loaded with the first payment and never before. */
type Module = typeof import('./authorization.ts');

let loaded: Promise<Module> | undefined;

export function authorizations(): Promise<Module> {
  loaded ??= import('./authorization.ts');
  return loaded;
}
