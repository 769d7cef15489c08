describe('a process that ends', () => {
  it('passes first', () => undefined);
  it('ends it', () => process.exit(0));
});
