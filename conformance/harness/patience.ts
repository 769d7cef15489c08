/** How a 429 is taken: as it is by a suite with its own hub; any other waits and asks again. */
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
