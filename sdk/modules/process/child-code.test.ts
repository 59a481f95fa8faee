// Tests that the generated code of processes is that of its sources, and how a process with it ends.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import t from 'tap'
import { childCode } from './gen/child-code.js'

void t.test('the generated module is up to date; else run npm run module-child', async (t) => {
  const root = new URL('../../../', import.meta.url)
  const made = execFileSync(process.execPath, ['scripts/module-child.mjs', '--print', 'child'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.equal(made, readFileSync(new URL('gen/child-code.ts', import.meta.url), 'utf8'))
})

void t.test('a process that failed ends when the operator has read why', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  child.stdin?.end(childCode)
  const channel = child.stdio[3] as Duplex
  const program = 'export const newManager = () => {}; setTimeout(() => { throw new Error("late") }, 10)'
  channel.write(`${JSON.stringify({ type: 'start', protocol: 1, url: `data:text/javascript,${program}` })}\n`)
  let said = ''
  for (channel.setEncoding('utf8'); !said.includes('"failed"'); ) said += (await once(channel, 'data'))[0]
  t.match(said, '"message":"late"')
  const ended = once(child, 'exit')
  channel.end()
  t.same(await ended, [0, null], 'by the end of the connection, not by itself')
})
