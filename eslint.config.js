import tseslint from 'typescript-eslint';

/** Short on purpose: layout is Prettier's, architecture is tools/tidy's, types are the compiler's. */
export default tseslint.config(
  {
    ignores: [
      'node_modules',
      '**/dist',
      'docs/.vitepress',
      'conformance/kinds/sdk/made-*',
      'conformance/kinds/sdk/generators',
      'generated',
      '**/node_modules',
      '**/*.mjs',
      '**/*.cjs',
      '**/*.js',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { checkThenables: true }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-call': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
      '@typescript-eslint/no-unsafe-argument': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-globals': ['error', { name: 'parseFloat', message: 'Money is integer.' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'Write the members themselves: a spread must not steer the layout.',
        },
      ],
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // The process edge alone knows the clock, chance and the environment; everything else is handed them.
    files: ['domain/**/*.ts', 'db/**/*.ts', 'workflows/**/*.ts', 'handlers/**/*.ts'],
    ignores: ['**/*.test.ts', 'workflows/kernel/systemClock.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Use hub.clock.now().' },
        { object: 'Math', property: 'random', message: 'Use hub.random.' },
        {
          object: 'process',
          property: 'env',
          message: 'server/boot/config.ts reads the environment.',
        },
      ],
    },
  },
);
