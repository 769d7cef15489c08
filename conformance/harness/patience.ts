/**
 * How an answer of 429 is taken. A suite that has started its hub takes it as it is; one that asks
 * a running hub, which keeps its limits, waits and asks again.
 */
interface Limited {
  readonly status: number;
  readonly headers: Headers;
}

export const patience: { mayAskAgain(answer: Limited): Promise<boolean> } = {
  mayAskAgain: () => Promise.resolve(false),
};

export async function patiently<Answer extends Limited>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (!(await patience.mayAskAgain(answer))) return answer;
  }
}
