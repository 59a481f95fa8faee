// Runs a program that tries each known way out of its process, next to an operator with a planted secret, on each
// release line of Node, behind the boundary that the kernel gives here and without one.
import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { typeScriptFlags } from '../plugin-process.js'
import { hostileProgram } from './hostile-program.js'

const nodes = (process.env.NODE_PROGRAMS ?? process.execPath).split('\n').filter((path) => path !== '')
const operator = fileURLToPath(new URL('planted-operator.fixture.ts', import.meta.url))
const secret = 'planted-6f1c2a'

interface Found {
  readonly kind: string
  readonly own: { readonly priority: number; readonly inspector: string; readonly received: string[] }
  readonly attempts: Readonly<Record<string, string>>
}

async function attacked(
  t: Test,
  node: string,
  path: string | undefined,
): Promise<Found & { folder: string }> {
  const folder = t.testdir({
    secret,
    'secret.json': JSON.stringify(secret),
    shared: {},
    'program.mjs': hostileProgram,
  })
  await writeFile(join(folder, 'secret.mjs'), `export default '${secret}'`)
  await mkdir(join(folder, 'cache'), { mode: 0o700 })
  const { stdout } = await promisify(execFile)(
    node,
    [...typeScriptFlags(operator), operator, join(folder, 'program.mjs'), folder],
    { env: { PATH: path, PLANTED: secret, PLANTED_FILE: join(folder, 'secret') }, timeout: 120_000 },
  )
  const line = stdout.trim().split('\n').at(-1) ?? ''
  return { ...(JSON.parse(line) as Found), folder }
}

/** The attempts that may succeed, because they reach only the process itself. */
const harmless = new Set(['priority of the user'])

async function checkAttack(t: Test, node: string, path: string | undefined): Promise<void> {
  const { kind, own, attempts, folder } = await attacked(t, node, path)
  t.comment(`${node}: boundary ${kind}, ${Object.keys(attempts).length} attempts`)
  t.ok(Object.keys(attempts).length > 50)
  for (const [name, result] of Object.entries(attempts)) {
    t.notMatch(result, secret, name)
    if (!harmless.has(name)) t.match(result, /^closed: /, `${name}: ${result}`)
  }
  t.strictSame(own, { priority: 0, inspector: 'closed', received: [] })
  t.strictSame(await readdir(join(folder, 'shared')), [])
  const runs = await readdir(join(folder, 'cache'), { recursive: true })
  t.strictSame(
    runs.filter((file) => !/^[0-9a-f]{64}\.mjs$|^run-[^/]*$/.test(file)),
    [],
  )
  t.strictSame(
    (await readdir(tmpdir())).filter((file) => file.startsWith('written-by-')),
    [],
  )
}

void t.test('a hostile program reaches nothing of its operator', { timeout: 600_000 }, async (t) => {
  for (const node of nodes) await t.test(node, (t) => checkAttack(t, node, process.env.PATH))
})

void t.test('nor does it where the kernel gives no namespaces', { timeout: 600_000 }, async (t) => {
  for (const node of nodes) await t.test(node, (t) => checkAttack(t, node, '/nowhere'))
})
