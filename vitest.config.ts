import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By default one core is left idle: of two, half.
    maxWorkers: '100%',
    reporters: ['default', './test/skips.ts'],
  },
})
