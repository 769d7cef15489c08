/** Loaded with `node --import`: the parent may step this clock; `performance.now()` goes on. */
const { now } = Date;
let stepMs = 0;
const stepped = (): number => now() + stepMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, given: readonly unknown[], newTarget): object =>
    Reflect.construct(target, given.length === 0 ? [stepped()] : given, newTarget) as object,
  apply: (target) => new target(stepped()).toString(),
  get: (target, name) => (name === 'now' ? stepped : (Reflect.get(target, name) as unknown)),
});

process.on('message', (ms) => {
  if (typeof ms === 'number') stepMs += ms;
});
// The run is over, or the parent process is gone.
process.once('disconnect', () => process.exit());
