import { defineConfig, globalIgnores } from 'eslint/config';
import { configs } from 'typescript-eslint';

export default defineConfig(globalIgnores(['bundled', 'dist']), {
  files: ['src/**/*.ts', 'test/**/*.ts'],
  extends: [configs.strictTypeChecked, configs.stylisticTypeChecked],
  languageOptions: { parserOptions: { projectService: true } },
  rules: {
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    '@typescript-eslint/no-floating-promises': [
      'error',
      { allowForKnownSafeCalls: [{ from: 'package', name: ['describe', 'test'], package: 'node:test' }] },
    ],
    // for callbacks such as `() => emitter.fire()`
    '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  },
});
