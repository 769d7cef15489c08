/** The words of the banner and of the status page for what does not work, and what still does. */
export const stateTexts = {
  troubles: {
    silent: {
      title: 'The hub does not answer.',
      works:
        'What you see is as it was, and what you typed is kept. This page asks again every two seconds.',
    },
    writes: {
      title: 'The hub only reads at the moment.',
      works: 'You can read and search. What changes something is refused until then.',
    },
    money: {
      title: 'No money moves at the moment.',
      works:
        'Reading, searching and comments work. What moves money is refused until then; nothing is lost.',
    },
    time: {
      title: 'The clock of the hub stands still.',
      works: 'Money and tasks go on. New proofs of time wait until it runs again.',
    },
    old: {
      title: 'The hub has newer pages than this one.',
      works: 'Drafts of forms are kept.',
    },
  },
  began: 'Began',
  reason: (reason: string) => `Reason: ${reason.replace(/[.\s]+$/, '')}.`,
  loadNew: 'Load the new pages',
  more: 'Status',
} as const;
