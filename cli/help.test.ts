// Tests of the command line: help, usage errors, completion. Each runs the program once, and they run in
// parallel.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import t from 'tap'
import { helpPage, printed } from '../scripts/cli-help.js'

t.setTimeout(600_000)
t.jobs = 4

interface Answer {
  code: number
  stdout: string
  stderr: string
}

function command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } }
    const child = execFile(
      process.execPath,
      ['bin/vcluster-plugin.js', ...args],
      options,
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })
}

void t.test('docs/cli.md has the exact help of every command, and each command has an example', async (t) => {
  const { is, shouldBe, commands } = await helpPage()
  t.equal(is, shouldBe, 'npm run help writes it')
  const named = [...(await printed(['--help'])).matchAll(/^ {2}vcluster-plugin (\w+) /gm)].map(
    ([, name]) => name,
  )
  const expected = [...new Set(named)].filter((name) => name !== 'completion')
  // A command of a command is listed in the help of the outer one.
  const inner = [...shouldBe.matchAll(/^ {2}vcluster-plugin (\w+ \w+) </gm)].map(([, name = '']) => name)
  const all = expected.flatMap((name = '') => [name, ...inner.filter((one) => one.startsWith(`${name} `))])
  t.same(
    commands.slice(1),
    all.map((name) => `vcluster-plugin ${name} --help`),
  )
  for (const help of shouldBe.split('```text ').slice(1)) t.match(help, /^Examples:\n {2}vcluster-plugin /m)
})

void t.test('a usage error exits with 2 and names the mistake', async (t) => {
  const [unknown, flag, value] = await Promise.all([
    command(['deploy']),
    command(['rbac', '--colour']),
    command(['rbac', '-o', 'xml']),
  ])
  t.match(unknown, { code: 2, stdout: '', stderr: /^vcluster-plugin: Unknown command: deploy\. Try / })
  t.match(flag, { code: 2, stderr: /Unknown argument: colour/ })
  t.match(value, { code: 2, stderr: / cannot be "xml"; use table, json or yaml\./ })
})

void t.test('what manifest prints by default can be left out by flags', async (t) => {
  const [all, reduced] = await Promise.all([
    command(['manifest', 'examples/memcached']),
    command(['manifest', 'examples/memcached', '--no-secure-metrics', '--no-network-policy']),
  ])
  t.match(all, { code: 0, stderr: '', stdout: /SECURE_METRICS_ADDRESS/ })
  t.match(all.stdout, /kind: NetworkPolicy/)
  t.match(reduced, { code: 0, stderr: '' })
  t.notMatch(reduced.stdout, /kind: NetworkPolicy|SECURE_METRICS_ADDRESS/)
})

void t.test('the tab key completes commands', async (t) => {
  const { stdout } = await command(['--get-yargs-completions', 'vcluster-plugin', 'm'], {
    SHELL: '/bin/bash',
  })
  t.match(stdout, 'manifest')
  t.match((await command(['completion'], { SHELL: '/bin/zsh' })).stdout, /^#compdef vcluster-plugin/)
})

const passing = "import { test } from 'node:test'\ntest('it works', () => {})\n"
const failing = "import { test } from 'node:test'\ntest('it does not', () => { throw new Error('boom') })\n"

void t.test('all tests of a plugin run, and a failed test fails the command', async (t) => {
  const dir = t.testdir({
    good: { 'main.ts': '', src: { 'a.test.ts': passing }, node_modules: { x: { 'b.test.ts': failing } } },
    bad: { 'main.ts': '', 'a.test.ts': failing },
    none: { 'main.ts': '' },
  })
  const [good, bad, none] = await Promise.all(
    ['good', 'bad', 'none'].map((name) => command(['test', `${dir}/${name}`])),
  )
  t.match(good, { code: 0, stdout: /it works/ })
  t.match(bad, { code: 1, stderr: /the tests of .*bad failed with status 1; see their output above/ })
  t.match(none, { code: 1, stderr: /there are no tests in .*none; add a NAME/ })
})

const largeKind = `import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const spec = z.object({ size: z.int().describe('size '.repeat(50_000)) })
const caches = defineKind({ group: 'cache.my.domain', version: 'v1', kind: 'Cache', spec })
const operator = createOperator({ name: 'large' })
operator.register(controller(caches, { reconcile: () => {} }))
await operator.start()
`

void t.test(
  'a pipe takes the whole output, its reader may end early, and a full disk is an error',
  async (t) => {
    const folder = t.testdir({ 'main.ts': largeKind })
    const manifest = `"${process.execPath}" bin/vcluster-plugin.js manifest "${folder}"`
    const shell = (script: string) =>
      new Promise<Answer>((resolve) => {
        const child = execFile('sh', ['-c', script], (_, stdout, stderr) =>
          resolve({ code: child.exitCode ?? 1, stdout, stderr }),
        )
      })
    const [piped, toFile, closed, full] = await Promise.all([
      shell(`${manifest} | cat`),
      shell(`${manifest} > "${folder}/out" && cat "${folder}/out"`),
      shell(`{ ${manifest}; echo "status $?" >&2; } | head -c 1`),
      shell(`${manifest} > /dev/full`),
    ])
    t.ok(piped.stdout === toFile.stdout, 'the pipe has the same as the file')
    t.ok(piped.stdout.length > 250_000, `${piped.stdout.length}`)
    t.match(closed, { code: 0, stderr: /^status 0\n$/ })
    if (existsSync('/dev/full'))
      t.match(full, { code: 1, stderr: /^vcluster-plugin: cannot write .*the disk is full/ })
  },
)
