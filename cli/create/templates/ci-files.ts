/**
 * The files by which GitHub tests a program: the workflow with types, lint, tests, the named checks, the bundle and the
 * image, and the updates of the actions and packages that it pins.
 */
export function ciFiles(
  checks: readonly (readonly [name: string, command: string])[],
): Record<string, string> {
  return { '.github/workflows/ci.yml': workflow(checks), '.github/dependabot.yml': updates }
}

// A tag of an action can be moved; a commit cannot.
const checkout = 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2'
const setupNode = 'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0'

const workflow = (checks: readonly (readonly [name: string, command: string])[]) => `name: ci

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
      - uses: ${checkout}
      - uses: ${setupNode}
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
      - uses: ${checkout}
      - run: docker build .
`

const updates = `version: 2
updates:
  - package-ecosystem: github-actions
    directory: /
    schedule: { interval: monthly }
  - package-ecosystem: npm
    directories: [/, /tools]
    schedule: { interval: monthly }
    groups:
      all: { patterns: ["*"] }
`
