/** On 429 a suite waits and asks again if the hub, with its limits, is not one that it started. */
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
