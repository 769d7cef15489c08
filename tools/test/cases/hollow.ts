describe('a suite', () => {
  it('has a test', () => undefined);
  describe('with none inside', () => undefined);
});
