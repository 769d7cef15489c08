describe('a good file', () => {
  it('passes', () => undefined);
});
