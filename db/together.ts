import type { Store, Writer } from './store.ts';

/**
 * Lets callers who come at once share a unit of work: while one runs, the others wait in a line, and
 * the next unit takes all of them. A unit and its commit cost the same for one caller as for many.
 */
export type Together<In, Out> = (input: In) => Promise<Out>;

interface Waiting<In, Out> {
  readonly input: In;
  readonly answer: (output: Out) => void;
  readonly fail: (error: unknown) => void;
}

/** `work` answers one output for each input, in their order; when it throws, all of them fail. */
export function together<In, Out>(
  store: Store,
  atOnceMax: number,
  work: (tx: Writer, inputs: readonly In[]) => Promise<readonly Out[]>,
): Together<In, Out> {
  const line: Waiting<In, Out>[] = [];
  let running = false;

  const takeSome = async (): Promise<void> => {
    const batch = line.splice(0, atOnceMax);
    try {
      const inputs = batch.map(({ input }) => input);
      const outputs = await store.write((tx) => work(tx, inputs));
      for (const [nth, output] of outputs.entries()) batch[nth]?.answer(output);
    } catch (error) {
      for (const each of batch) each.fail(error);
    }
  };
  const takeAll = async (): Promise<void> => {
    running = true;
    while (line.length > 0) await takeSome();
    running = false;
  };
  return (input) =>
    new Promise((answer, fail) => {
      line.push({ input, answer, fail });
      if (!running) void takeAll();
    });
}
