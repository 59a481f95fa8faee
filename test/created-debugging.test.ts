// Tests that a debugger stops in the TypeScript of a new project, with the processes that .vscode/launch.json starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { freePort } from '../simulator/free-ports.js'
import { Debugger } from './debugger.js'
import { root } from './dev-run.js'
import { linkPackages } from './link-packages.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'

t.setTimeout(600_000)
const parent = await mkdtemp(join(tmpdir(), 'created-debugging-'))
t.teardown(() => rm(parent, { recursive: true, force: true }))
const folder = join(parent, 'kept-sites')
const command = join(root, 'bin/vcluster-plugin.js')
await run(root, [process.execPath, command, 'create', folder, '--kind', 'operator', '--sdk', `file:${root}`])
await linkPackages(folder)

const launch = z
  .object({
    configurations: z.array(
      z.object({
        name: z.string(),
        request: z.enum(['launch', 'attach']),
        program: z.string().optional(),
        runtimeArgs: z.array(z.string()).default([]),
        args: z.array(z.string()).default([]),
        port: z.number().optional(),
      }),
    ),
  })
  .parse(JSON.parse(await readFile(join(folder, '.vscode/launch.json'), 'utf8')))
const [dev, attached, tests] = launch.configurations
const expand = (text: string, file = '') =>
  text.replace(/\$\{workspaceFolder\}/, folder).replace(/\$\{file\}/, join(folder, file))

/** Starts Node, and resolves with the address for a debugger. */
async function listening(t: Test, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env, NODE_OPTIONS: env.NODE_OPTIONS ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => ended(child))
  return new Promise((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        const [, url] = /Debugger listening on (ws:\S+)/.exec(line) ?? []
        if (url !== undefined) resolve(url)
      })
    child.once('exit', (code) =>
      reject(new Error(`it exited with status ${code} before a debugger attached`)),
    )
  })
}

/** Ends a process that a test started. */
function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

const sources = ['--conditions=vcluster-plugin-sdk:source', loadTypeScript]

void t.test('a breakpoint stops the tests of the open file', async (t) => {
  t.match(tests, { request: 'launch' })
  const file = 'src/website-controller.test.ts'
  const args = [...sources, '--inspect-wait=127.0.0.1:0', ...(tests?.runtimeArgs ?? [])]
  const url = await listening(t, [...args, expand(tests?.program ?? '', file)])
  const attached = await Debugger.attach(url)
  t.teardown(() => attached.detach())
  const source = await readFile(join(folder, 'src/website-controller.ts'), 'utf8')
  const stopped = attached.stopAt('src/website-controller.ts', 'await ctx.apply(', source)
  await attached.goOn()
  t.equal(await stopped, 'reconcile')
})

void t.test('a breakpoint stops the operator in dev', async (t) => {
  t.match(
    [dev, attached],
    [
      { request: 'launch', args: ['dev', '.'] },
      { request: 'attach', port: 9229 },
    ],
  )
  t.match(attached?.name, `--inspect ${attached?.port} --no-watch`)
  const flags = ['--inspect', String(await freePort()), '--no-watch']
  const url = await listening(t, [expand(dev?.program ?? ''), ...(dev?.args ?? []), '--verbose', ...flags])
  const program = await Debugger.attach(url)
  t.teardown(() => program.detach())
  const source = await readFile(join(folder, 'src/website-controller.ts'), 'utf8')
  t.equal(await program.stopAt('src/website-controller.ts', 'await ctx.apply(', source), 'reconcile')
})
