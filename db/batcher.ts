/**
 * Lets concurrent callers share work: while one batch runs, the others wait, and the next takes all
 * of them. A commit or a snapshot costs the same for one caller as for many.
 */
export type Batcher<In, Out> = (input: In) => Promise<Out>;

interface Waiting<In, Out> {
  readonly input: In;
  readonly answer: (output: Out | Promise<Out>) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * `work` returns one output for each input, in order; when it throws, all of them fail. The next
 * batch does not wait for outputs that are promises.
 */
export function openBatcher<In, Out>(
  atOnceMax: number,
  work: (inputs: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
): Batcher<In, Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = false;

  const takeSome = async (): Promise<void> => {
    const batch = waiting.splice(0, atOnceMax);
    try {
      const outputs = await work(batch.map(({ input }) => input));
      for (const [nth, output] of outputs.entries()) batch[nth]?.answer(output);
    } catch (error) {
      for (const each of batch) each.fail(error);
    }
  };
  const takeAll = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) await takeSome();
    running = false;
  };
  return (input) =>
    new Promise((answer, fail) => {
      waiting.push({ input, answer, fail });
      if (!running) void takeAll();
    });
}
