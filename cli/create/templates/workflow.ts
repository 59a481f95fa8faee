/** The CI workflow: types, lint, tests, and the plugin against two embedded clusters. */
export const workflowFile = `name: ci

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
      - run: npm run types
      - run: npm run lint
      - run: npm test
      - name: check that the plugin copies its samples
        run: npm run dev -- --once
      - run: npm run bundle
  image:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - run: docker build .
`
