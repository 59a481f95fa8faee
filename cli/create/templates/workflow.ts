/** The CI workflow of a program: types, lint, tests, the named checks, the bundle and the image. */
export const workflow = (checks: readonly (readonly [name: string, command: string])[]) => `name: ci

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
          cache: npm
      - run: npm ci
      - run: npm run lint
      - run: npm test
${checks.map(([name, command]) => `      - name: ${name}\n        run: ${command}\n`).join('')}      - run: npm run bundle
  image:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - run: docker build .
`

/** The CI workflow of a plugin, which also runs it between two embedded clusters. */
export const workflowFile = workflow([['check that the plugin copies its samples', 'npm run dev -- --once']])
