import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { hasEnded, type ProcessFacts, processIdentity } from './process-identity.js'

/** A machine with one PID namespace, in which these processes run: their start times by number. */
function machine(running: Record<number, string>, options: Partial<ProcessFacts> = {}): ProcessFacts {
  return {
    pid: 7,
    env: {},
    place: () => 'boot 1 pid:[1]',
    startOf: (pid) => running[pid],
    exists: (pid) => pid in running,
    ...options,
  }
}

void t.test('a candidate has ended when its process has', (t) => {
  const identity = `host_uuid${processIdentity(machine({ 7: '100' }))}`
  t.match(identity, /^host_uuid_p[0-9a-f]{16}\.7\.100$/)
  t.notOk(hasEnded(identity, machine({ 7: '100', 9: '300' }, { pid: 9 })), 'it runs')
  t.ok(hasEnded(identity, machine({ 9: '300' }, { pid: 9 })), 'it is gone')
  t.ok(hasEnded(identity, machine({ 7: '200', 9: '300' }, { pid: 9 })), 'another process has its number')
  const unreadable = machine({}, { pid: 9, exists: () => true })
  t.notOk(hasEnded(identity, unreadable), 'it may be the process of this number')
  const elsewhere = machine({}, { pid: 9, place: () => 'boot 1 pid:[2]' })
  t.notOk(hasEnded(identity, elsewhere), 'its number means nothing in another namespace')
  t.notOk(hasEnded(identity, machine({}, { place: () => undefined })), 'nothing is known here')
  t.end()
})

void t.test('a candidate without identity is not known to have ended', (t) => {
  t.equal(processIdentity(machine({}, { place: () => undefined })), '')
  t.notOk(hasEnded('host_uuid', machine({})))
  t.notOk(hasEnded('', machine({})))
  t.end()
})

void t.test('the first process of a container follows the one before it', (t) => {
  const env = { POD_UID: 'a', CONTAINER_NAME: 'plugin' }
  const first = (place: string, options: Partial<ProcessFacts> = {}) =>
    machine({ 1: '5' }, { pid: 1, env, place: () => place, ...options })
  const identity = `pod_uuid${processIdentity(first('boot 1 pid:[1]'))}`
  t.ok(hasEnded(identity, first('boot 1 pid:[2]')), 'the container was started again')
  t.ok(hasEnded(identity, first('boot 2 pid:[1]')), 'the machine was, too')
  t.notOk(hasEnded(identity, first('boot 1 pid:[1]')), 'the same process is a candidate twice')
  const others: Record<string, Partial<ProcessFacts>> = {
    'another Pod': { env: { ...env, POD_UID: 'b' } },
    'another container of the Pod': { env: { ...env, CONTAINER_NAME: 'sidecar' } },
    'a program that was started in the container by hand': { pid: 30, startOf: () => '5' },
    'a container that does not know its Pod': { env: {} },
  }
  for (const [title, options] of Object.entries(others))
    t.notOk(hasEnded(identity, first('boot 1 pid:[2]', options)), title)
  t.end()
})

const flags = [...process.execArgv, '--input-type=module']
const program = `
  const { processIdentity, hasEnded } = await import('${import.meta.resolve('./process-identity.ts')}')
  console.log(processIdentity() + ' ' + hasEnded(process.env.FORMER ?? ''))
  if (process.env.STAYS) setInterval(() => {}, 1000)
`

void t.test('real processes', { skip: process.platform !== 'linux' && 'only Linux has /proc' }, async (t) => {
  const child = spawn(process.execPath, [...flags, '-e', program], {
    env: { ...process.env, STAYS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const [identity = ''] = line.split(' ')
  t.match(identity, new RegExp(`^_p[0-9a-f]{16}\\.${child.pid}\\.\\d+$`))
  t.notOk(hasEnded(identity))
  child.kill('SIGKILL')
  await once(child, 'exit')
  t.ok(hasEnded(identity))
})

/** Runs the program as the first process of a PID namespace, as in a container. */
function inContainer(former: string): string {
  const command = ['--pid', '--fork', '--mount-proc', process.execPath, ...flags, '-e', program]
  const env = { ...process.env, FORMER: former, POD_UID: 'a', CONTAINER_NAME: 'plugin' }
  return spawnSync('unshare', command, { env, encoding: 'utf8' }).stdout ?? ''
}

const isolates = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0

void t.test('real PID namespaces', { skip: !isolates && 'unshare is not allowed here' }, (t) => {
  const [identity = '', of] = inContainer('').trim().split(' ')
  t.match(identity, /^_p[0-9a-f]{16}\.1\.\d+_c[0-9a-f]{16}$/)
  t.equal(of, 'false')
  t.match(inContainer(identity), / true\n$/, 'it was started again')
  t.notOk(hasEnded(identity), 'its number means nothing outside')
  t.end()
})
