// Tests what an operator does where the kernel gives no boundary, and that the signal for the debugger does nothing.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { loadTypeScript } from '../../../../test/plugin-process.js'

const inOperator = async (text: string, env: NodeJS.ProcessEnv): Promise<unknown> => {
  const from = (name: string) => JSON.stringify(import.meta.resolve(name))
  const code = `
    const { findBoundary } = await import(${from('./find-boundary.ts')})
    const { checkPinned, requiredBoundary } = await import(${from('./required-boundary.ts')})
    const { ignoreDebuggerSignal } = await import(${from('./ignore-debugger-signal.ts')})
    const said = (promise) => promise.then(String, (error) => error.code + ': ' + error.message)
    process.stdout.write(JSON.stringify(await (async () => { ${text} })()))
    process.exit()`
  const args = [
    loadTypeScript,
    '--conditions=vcluster-plugin-sdk:source',
    '--input-type=module',
    '--eval',
    code,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout) as unknown
}

// Without root and the programs of util-linux there is neither of the two boundaries.
const asUser = 'process.setgid?.(65534); process.setuid?.(65534);'

void t.test('without a boundary only programs with a digest run, and none if one is required', async (t) => {
  const said = await inOperator(
    `${asUser}
    const lines = []
    const logger = { warn: (fields, text) => lines.push(text) }
    const facts = { label: 'program sha256-abc', logger }
    return {
      kind: (await findBoundary()).kind,
      unpinned: await said(checkPinned(undefined, 'ConfigMap a/b')),
      pinned: await said(checkPinned('sha256-abc', 'ConfigMap a/b')),
      required: await said(requiredBoundary('required', facts)),
      preferred: await said(requiredBoundary('preferred', facts)),
      lines,
    }`,
    { PATH: '/nowhere' },
  )
  t.match(said, {
    kind: 'none',
    unpinned:
      /^MISSING_DIGEST: ConfigMap a\/b: a program without a digest runs only behind a boundary of the kernel/,
    pinned: 'undefined',
    required:
      /^PROGRAM_NOT_STARTED: program sha256-abc is not started: the option programs\.boundary requires/,
    preferred: 'none',
    lines: [/^a program runs by the permissions of Node alone/],
  })
})

void t.test('the signal that opens the debugger does nothing, also with a worker', async (t) => {
  const said = await inOperator(
    `const { default: inspector } = await import('node:inspector')
    const { Worker } = await import('node:worker_threads')
    ignoreDebuggerSignal()
    ignoreDebuggerSignal()
    new Worker('setTimeout(() => {}, 1e6)', { eval: true })
    process.kill(process.pid, 'SIGUSR1')
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { url: inspector.url() ?? 'closed', listeners: process.listenerCount('SIGUSR1') }`,
    { PATH: process.env.PATH },
  )
  t.strictSame(said, { url: 'closed', listeners: 1 })
})
