/** Only task pages load these texts. */
export const taskTexts = {
  now: {
    label: 'What to do now',
    until: 'ends',
    makeKey: 'Make a key in this browser; then you can work on this task.',
    claim: 'Claim this task, then deliver a result that satisfies the rule.',
    claimOffered:
      'The requester offers you this task before others: claim it while it is kept for you.',
    keptForOthers: 'The requester offers this task to named accounts first',
    answer:
      'The other side proposes to change the terms. Read the proposal below, and agree or not.',
    claimChosen: 'The requester chose your plan: claim the task while it is reserved for you.',
    offer: 'Offer a result; the requester accepts one of them.',
    plan: 'Offer a plan; the requester chooses one, and its author claims the task.',
    deliver: 'Deliver a result',
    again: 'Your result was refused. Claim the task again to try another one.',
    waitRequester: 'Wait: the requester decides on your result',
    waitPanel: 'Wait: a panel of judges decides on your result.',
    waitWindow: 'Your result was accepted. You are paid when the time to dispute is over',
    gotPaid: 'You were paid. Download the receipt as a proof.',
    decide: 'Look at the result below, then accept and pay it, or reject it with a reason',
    choose: 'Choose one of the plans below; its author then has an hour to claim the task.',
    waitPlans: 'Wait for plans. Without one, the reward returns to you',
    waitWorker: 'Wait for a worker. Without one, the reward returns to you',
    waitResult: 'Wait: a worker has this task',
    panelDecides: 'Wait: a panel of judges decides on the result.',
    window: 'The result was accepted. Do nothing and the worker is paid, or dispute it',
    paidOut: 'Done: the worker was paid.',
    returned: 'Over: the reward returned to you.',
    disputed: 'Wait: an arbiter decides the dispute below.',
    ruled: 'Over: the arbiter ruled, and the money went as the dispute below shows.',
    arbiter: 'You are the arbiter: read the dispute below and rule on it.',
    taken: 'Another worker has this task. It opens again if the result is not accepted.',
    done: 'This task is over.',
    thread: 'This is a discussion without a reward: write a comment below.',
  },
  shares: 'Winners',
  placesPay: (parts: string) => `Places pay ${parts} after fees.`,
  splitPays: 'Several; the requester divides the reward.',
  undecided: 'If nothing is decided',
  won: (place: number, amount: string) => `Place ${place}: ${amount} before fees`,
  winners: {
    label: 'Name the winners and pay',
    awardOf: (amount: string) => `the payment of ${amount} to the winners`,
    placesLead: 'All winners are named at once. A result that wins nothing is closed.',
    splitLead: 'Give each winner its percent of the reward; leave the others empty.',
    place: (place: number, amount: string) => `Place ${place} (${amount} after fees)`,
    none: 'none',
    percentOf: (name: string) => `Percent for ${name}`,
    question: (count: number, amount: string) =>
      `${count} ${count === 1 ? 'winner is' : 'winners are'} paid from ${amount} now. This is final.`,
    yes: 'Yes, pay them',
  },
  milestones: {
    title: 'Milestones of one worker',
    chain: 'Steps of this chain',
    until: 'until',
    money: (spent: string, held: string, back: string) =>
      `${spent} spent, ${held} held, ${back} returned.`,
  },
  target: 'Site that it is about',
  isPrivate:
    'A private task: brief, files, results and messages are for the requester, the worker and the judges.',
  reliability: 'Reliability of its judges, at least',
  waive: 'Pay now, without time to dispute',
  sure: {
    'tasks.accept': {
      question: (amount: string) => `The worker is paid from ${amount} now. This is final.`,
      yes: 'Yes, pay',
    },
    waive: {
      question: (amount: string) =>
        `The worker is paid from ${amount} now, and neither of you can dispute it afterwards.`,
      yes: 'Yes, pay now',
    },
    'tasks.cancel': {
      question: (amount: string) => `The task ends and ${amount} return to your balance.`,
      yes: 'Yes, cancel it',
    },
    'tasks.dispute': {
      question: () =>
        'The payout is frozen until an arbiter rules. The arbiter is paid out of the disputed amount.',
      yes: 'Yes, dispute it',
    },
    'tasks.reject': {
      question: () => 'The result is rejected and the task opens again. Your reason is public.',
      yes: 'Yes, reject it',
    },
  },
  receipt: {
    title: 'Receipt',
    lead: 'Names the task, its terms, the transfer and the amount, with a time stamp signed by the hub. The page Trust checks it.',
    download: 'Download the receipt',
    none: 'The statement has no payment of this task yet.',
    saved: 'Saved.',
  },
  dispute: {
    how: 'How a dispute goes',
    steps: {
      raised: 'A party objects to an accepted result, and the payout is frozen.',
      drawn: 'One arbiter is drawn by lot from the judges who have no part in the task.',
      ruled: 'The arbiter rules: for one side, or a split.',
      paid: 'The money follows the ruling at once.',
    },
    now: {
      searching: 'No arbiter is free yet. The hub draws again by itself; you need not do anything.',
      drawn:
        'The arbiter reads the task, the result and the objection, and rules in time. If not, another one is drawn.',
      ruled: 'The ruling is final, and the money was paid as shown below.',
      void: 'No arbiter ruled in time, so the acceptance stands and the worker is paid.',
      settled: 'Both parties agreed how to divide the money, so no arbiter decides.',
    },
    fee: 'The arbiter gets the share of the judges out of the disputed amount, whichever way it rules.',
    draws: 'How the arbiters were drawn',
    draw: (round: number, pulse: number) =>
      `Draw ${round}, from the random value of pulse ${pulse}`,
  },
} as const;
