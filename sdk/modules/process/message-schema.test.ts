// Tests the bounds of each member of the messages that a program's process sends.
import t from 'tap'
import { readMessage } from './message-schema.js'

const read = (message: unknown): unknown => {
  try {
    return readMessage(Buffer.from(JSON.stringify(message)))
  } catch (error) {
    return (error as Error).message.replace(/;.*/, '')
  }
}
const rule = { group: 'apps', resource: 'deployments', verbs: ['get'] }
const good = {
  ready: { type: 'ready', protocol: 1, name: 'shop', version: '1', sdk: '*', permissions: [rule] },
  failed: { type: 'failed', error: { name: 'Error', message: 'm' } },
  result: { type: 'result', id: 1, value: true, methods: ['check'], metaData: '{}' },
  save: { type: 'save', id: 1, call: 1, metaData: '{}' },
  request: { type: 'request', id: 1, manager: 1, method: 'get', args: [{}, {}] },
  cancel: { type: 'cancel', id: 1 },
  log: { type: 'log', manager: 1, level: 'info', message: 'm', fields: { a: 1 } },
}
const long = (length: number) => 'x'.repeat(length)

void t.test('messages of the process are read as they are', async (t) => {
  for (const message of Object.values(good)) t.strictSame(read(message), message)
})

void t.test('a mistake in the permissions of a program is named', async (t) => {
  const cases: [permissions: unknown, mistake: string][] = [
    [Array(201).fill(rule), 'permissions must have at most 200 items'],
    [[{ ...rule, group: long(254) }], 'permissions.0.group must have at most 253 characters'],
    [[{ ...rule, resource: '' }], 'permissions.0.resource must have at least 1 character'],
    [[{ ...rule, verbs: Array(21).fill('get') }], 'permissions.0.verbs must have at most 20 items'],
    [[{ ...rule, namespace: 7 }], 'permissions.0.namespace must be a string, got a number'],
  ]
  for (const [permissions, mistake] of cases)
    t.equal(read({ ...good.ready, permissions }), `a mistake in its permissions: ${mistake}`)
})

void t.test('a member that is out of bounds is a violation, and is named', async (t) => {
  const { ready, failed, result, save, request, cancel, log } = good
  const cases: [message: unknown, member: string][] = [
    [{ ...ready, protocol: '1' }, 'protocol'],
    [{ ...ready, name: '' }, 'name'],
    [{ ...ready, name: long(254) }, 'name'],
    [{ ...ready, version: long(254) }, 'version'],
    [{ ...ready, sdk: long(65_537) }, 'sdk'],
    [{ ...failed, error: { name: 'Error', message: long(65_537) } }, 'error.message'],
    [{ ...failed, error: { name: 'Error', message: 'm', code: {} } }, 'error.code'],
    [{ ...result, id: 0 }, 'id'],
    [{ ...result, id: 1.5 }, 'id'],
    [{ ...result, id: 2 ** 60 }, 'id'],
    [{ ...result, metaData: {} }, 'metaData'],
    [{ ...save, call: '1' }, 'call'],
    [{ ...save, metaData: undefined }, 'metaData'],
    [{ ...request, manager: -1 }, 'manager'],
    [{ ...request, method: 'toString' }, 'method'],
    [{ ...request, method: 'patch' }, 'method'],
    [{ ...request, args: [1, 2, 3] }, 'args'],
    [{ ...request, args: {} }, 'args'],
    [{ ...cancel, id: null }, 'id'],
    [{ ...log, level: 'fatal' }, 'level'],
    [{ ...log, message: 1 }, 'message'],
    [{ ...log, fields: [] }, 'fields'],
    [{ ...log, fields: null }, 'fields'],
  ]
  for (const [message, member] of cases) t.equal(read(message), `a message with a wrong ${member}`)
})

void t.test('the limits themselves are permitted', async (t) => {
  const { ready, failed } = good
  const rules = Array(200).fill({ ...rule, verbs: Array(20).fill('get'), namespace: long(253) })
  for (const message of [
    { ...ready, name: long(253), sdk: long(65_536), permissions: rules },
    { ...failed, error: { name: 'Error', message: long(65_536), code: 'E' } },
  ])
    t.strictSame(read(message), message)
})

void t.test('an answer of a manager that is not a yes or a no does not end its process', async (t) => {
  const { result } = good
  t.match(read({ ...result, value: 'yes' }), { value: undefined })
  t.match(read({ ...result, methods: ['toString'] }), { methods: undefined })
})

void t.test('a message with more values than fit in memory is refused before it is read', async (t) => {
  const line = Buffer.from(
    `{"type":"request","id":1,"manager":1,"method":"get","args":[[${'{},'.repeat(2_000_000)}{}]]}`,
  )
  const beginMs = process.cpuUsage().user / 1000
  t.throws(
    () => readMessage(line),
    /^Error: a message with up to \d+ values; at most 500000 are permitted$|a message with up to/,
  )
  t.ok(process.cpuUsage().user / 1000 - beginMs < 500)
})
