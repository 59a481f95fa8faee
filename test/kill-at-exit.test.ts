import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { endedWithParent, killAtExit } from './kill-at-exit.js'
import { loadTypeScript } from './plugin-process.js'

void t.test('many children share one listener, and no listener is left', async (t) => {
  const listeners = () => process.listeners('exit').filter(({ name }) => name === 'killAll').length
  const children = Array.from({ length: 12 }, () => spawn('sleep', ['60']))
  const exits = children.map((child) => once(child, 'exit'))
  for (const child of children) killAtExit(child)
  t.equal(listeners(), 1)
  for (const child of children) child.kill()
  await Promise.all(exits)
  t.equal(listeners(), 0)
})

void t.test('a child ends with the process that started it', { timeout: 180_000 }, async (t) => {
  const program = `
    const { killAtExit } = await import(${JSON.stringify(import.meta.resolve('./kill-at-exit.ts'))})
    const { spawn } = await import('node:child_process')
    const child = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] })
    killAtExit(child)
    console.log(child.pid)
    process.exit()
  `
  const parent = spawn(process.execPath, [loadTypeScript, '--input-type=module', '--eval', program])
  const closed = once(parent, 'close')
  // The stream closes when the last process that writes to it has ended, the grandchild included.
  t.same(await closed, [0, null])
})

const skip = endedWithParent('sleep', [])[0] === 'sleep' && 'this system has no setpriv'

void t.test('a child ends with its parent that SIGKILL ended', { skip, timeout: 180_000 }, async (t) => {
  const program = `
    const { endedWithParent } = await import(${JSON.stringify(import.meta.resolve('./kill-at-exit.ts'))})
    const { spawn } = await import('node:child_process')
    spawn(...endedWithParent('sleep', ['600']), { stdio: ['ignore', 'inherit', 'ignore'] })
    process.kill(process.pid, 'SIGKILL')
  `
  const parent = spawn(process.execPath, [loadTypeScript, '--input-type=module', '--eval', program])
  t.same(await once(parent, 'close'), [null, 'SIGKILL'])
})

void t.test(
  'a child whose parent died before it began does not run',
  { skip, timeout: 180_000 },
  async (t) => {
    // Its parent is the shell, as if this process had died.
    const [program, args] = endedWithParent('sleep', ['600'])
    const child = spawn('sh', ['-c', '"$@"; exit "$?"', 'sh', program, ...args])
    t.teardown(() => child.kill())
    t.same(await once(child, 'close'), [1, null])
  },
)
