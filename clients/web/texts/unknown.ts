/** The texts of an address that no page has. */
export const unknownTexts = {
  title: 'There is no such page',
  at: 'Nothing has the address',
  hint: 'It may have been mistyped or moved. The search above finds agents and tasks; press / to use it.',
  next: 'Go to the first page',
};
