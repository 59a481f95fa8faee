// Tests malicious input: the responses equal those of a real kube-apiserver, and the process survives.
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { setImmediate } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import fc from 'fast-check'
import t from 'tap'
import { parseJson } from '../sdk/engine/kube/json.js'
import { encodedRequest } from '../test/differential/fuzz/base-objects.js'
import { type ApiServer, createApiServer } from './api-server.js'
import { jsonProblem } from './base/json-problem.js'
import { maxBodyBytes } from './request/body.js'
import { parseGoTime } from './schema/go-time.js'

const configMapsPath = '/api/v1/namespaces/default/configmaps'
const jsonType = { 'content-type': 'application/json' }
const jsonPatch = { 'content-type': 'application/json-patch+json' }
const depth = 10_000

const server = await createApiServer()
t.teardown(() => server.close())
const url = await server.listen()

interface Answer {
  status: number
  message?: string
  data?: Record<string, string>
}

async function answerTo(request: Parameters<ApiServer['handle']>[0]): Promise<Answer> {
  const { status, body } = await server.handle(request)
  const { message, data } = parseJson(body as Uint8Array) as Omit<Answer, 'status'>
  return { status, ...(message === undefined ? {} : { message }), ...(data === undefined ? {} : { data }) }
}

const post = (body: string | Uint8Array, headers: Record<string, string> = jsonType) =>
  answerTo({ method: 'POST', path: configMapsPath, headers, body })

const configMap = (name: string, rest = '') =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}${rest}}`

void t.test('malformed JSON is rejected with Go’s errors', async (t) => {
  const problems: Record<string, string> = {
    '': 'unexpected end of JSON input',
    '   ': 'unexpected end of JSON input',
    '{': 'unexpected end of JSON input',
    '{"a"': 'unexpected end of JSON input',
    '[1,2': 'unexpected end of JSON input',
    '"a': 'unexpected end of JSON input',
    nul: "invalid character ' ' in literal null (expecting 'l')",
    trux: "invalid character 'x' in literal true (expecting 'e')",
    '{} x': "invalid character 'x' after top-level value",
    '{"a":1 2}': "invalid character '2' after object key:value pair",
    '{"a" 1}': "invalid character '1' after object key",
    '[1 2]': "invalid character '2' after array element",
    '{"a":1,}': "invalid character '}' looking for beginning of object key string",
    "{'a':1}": "invalid character '\\'' looking for beginning of object key string",
    '<html>': "invalid character '<' looking for beginning of value",
    '\ufeff{}': "invalid character 'ï' looking for beginning of value",
    '"\u0001"': "invalid character '\\x01' in string literal",
    '"a\n"': "invalid character '\\n' in string literal",
    '"\\x"': "invalid character 'x' in string escape code",
    '"\\u12g4"': "invalid character 'g' in \\u hexadecimal character escape",
    '[01]': "invalid character '1' after array element",
    '[-]': "invalid character ']' in numeric literal",
    '[1.]': "invalid character ']' after decimal point in numeric literal",
    '1e': "invalid character ' ' in exponent of numeric literal",
    [`${'['.repeat(depth)}[`]: "invalid character '[' exceeded max depth",
  }
  for (const [text, problem] of Object.entries(problems))
    t.equal(jsonProblem(text), problem, text.slice(0, 20))
  t.match(await post('{"a":1,}'), {
    status: 400,
    message: /json parse error: invalid character '}' looking for beginning of object key string/,
  })
})

void t.test('an invalid time is rejected with Go’s errors, and a valid one is stored in UTC', async (t) => {
  const rfc3339 = '2006-01-02T15:04:05Z07:00'
  const problems: Record<string, string> = {
    '': `"" as "${rfc3339}": cannot parse "" as "2006"`,
    '2026-1-02T03:04:05Z': `"2026-1-02T03:04:05Z" as "${rfc3339}": cannot parse "1-02T03:04:05Z" as "01"`,
    '2026-01-02 03:04:05Z': `"2026-01-02 03:04:05Z" as "${rfc3339}": cannot parse " 03:04:05Z" as "T"`,
    '2026-01-02T03:04:05': `"2026-01-02T03:04:05" as "${rfc3339}": cannot parse "" as "Z07:00"`,
    '2026-13-02T03:04:05Z': '"2026-13-02T03:04:05Z": month out of range',
    '2026-02-29T03:04:05Z': '"2026-02-29T03:04:05Z": day out of range',
    '2026-01-02T24:04:05Z': '"2026-01-02T24:04:05Z": hour out of range',
    '2026-01-02T03:04:05Zx': '"2026-01-02T03:04:05Zx": extra text: "x"',
  }
  for (const [text, problem] of Object.entries(problems)) {
    t.same(parseGoTime(text, false), { problem: `parsing time ${problem}` }, text)
  }
  t.same(parseGoTime('2026-01-02T03:04:05.678+01:30', false), { text: '2026-01-02T01:34:05Z' })
  t.same(parseGoTime('2026-01-02T03:04:05.678901-01:30', true), { text: '2026-01-02T04:34:05.678901Z' })
  t.match(parseGoTime('2026-01-02T03:04:05Z', true), { problem: /cannot parse "Z" as "\.000000"$/ })
})

void t.test('the JSON check accepts exactly the texts that JavaScript accepts', async (t) => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"a"',
    ':',
    ',',
    '1',
    '-',
    '0',
    '.5',
    'e9',
    'null',
    ' ',
    '\\',
    '\u0000',
  )
  const anything = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
    fc.json(),
    fc.string(),
  )
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch (error) {
      return !(error instanceof SyntaxError)
    }
  }
  fc.assert(
    fc.property(anything, (text) => (jsonProblem(text) === undefined) === isJson(text)),
    { numRuns: 2000, interruptAfterTimeLimit: 5000 },
  )
  t.pass()
})

void t.test('the maximum depth of a text is that of Go', async (t) => {
  const nested = (levels: number) => configMap('deep', `,"x":${'['.repeat(levels)}${']'.repeat(levels)}`)
  t.equal((await post(nested(depth - 1))).status, 201)
  t.match(await post(nested(depth)), { status: 400, message: /invalid character '\[' exceeded max depth/ })
  for (const type of ['merge-patch', 'strategic-merge-patch', 'json-patch']) {
    const headers = { 'content-type': `application/${type}+json` }
    for (const levels of [depth - 2, depth * 2, 1_000_000]) {
      const body = `{"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
      const { status } = await answerTo({ method: 'PATCH', path: `${configMapsPath}/deep`, headers, body })
      t.ok(status >= 400, `${type}, ${levels} levels: ${status}`)
    }
  }
})

void t.test('a custom resource deeper than the call stack can be written in every way', async (t) => {
  await serveWidgets()
  const path = '/apis/example.com/v1/namespaces/default/widgets'
  const patch = (type: string, body: string) =>
    answerTo({
      method: 'PATCH',
      path: `${path}/deep?fieldManager=a`,
      headers: { 'content-type': type },
      body,
    })
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
  ] as const) {
    const deep = (bottom: string) => open.repeat(depth - 100) + bottom + close.repeat(depth - 100)
    const widget = (bottom: string) =>
      `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"deep"},"spec":{"x":${deep(bottom)}}}`
    t.equal((await answerTo({ method: 'POST', path, headers: jsonType, body: widget('1') })).status, 201)
    t.equal((await patch('application/merge-patch+json', `{"spec":{"x":${deep('2')}}}`)).status, 200)
    t.equal((await patch('application/json-patch+json', setSibling)).status, 200)
    t.match(await patch('application/apply-patch+yaml', widget('3')), { status: 409, message: /conflict/ })
    const { body } = await server.handle({ method: 'GET', path: `${path}/deep` })
    t.match(new TextDecoder().decode(body as Uint8Array), deep('2'))
    t.equal((await answerTo({ method: 'DELETE', path: `${path}/deep` })).status, 200)
  }
})

const setSibling = '[{"op":"add","path":"/spec/sibling","value":1}]'

async function serveWidgets(): Promise<void> {
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  }
  const names = { plural: 'widgets', kind: 'Widget' }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  }
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await answerTo({ method: 'POST', path, headers: jsonType, body: JSON.stringify(definition) })
  // The built-in controller serves it in the next turn of the event loop.
  await setImmediate()
}

void t.test('lone surrogates and invalid UTF-8 become replacement characters', async (t) => {
  const text = configMap(
    'text',
    ',"data":{"high":"a\\ud800b","low":"\\udc00","pair":"\\ud83d\\ude00","not":"\\\\ud800"}',
  )
  t.match(await post(text), { data: { high: 'a\ufffdb', low: '\ufffd', pair: '😀', not: '\\ud800' } })
  const [before = '', after = ''] = configMap('bytes', ',"data":{"a":"x#y"}').split('#')
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)])
  t.match(await post(bytes), { data: { a: 'x\ufffd\ufffdy' } })
})

void t.test('a body has at most three mebibytes, with any content', async (t) => {
  const tooLarge = { status: 413, message: 'Request entity too large: limit is 3145728' }
  t.same(await post('x'.repeat(maxBodyBytes + 1)), tooLarge)
  t.same(await post('x'.repeat(maxBodyBytes + 1), { 'content-type': 'application/yaml' }), tooLarge)
  const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' }
  t.same(await post('x'.repeat(maxBodyBytes + 1), protobuf), tooLarge)
  t.equal((await post('x'.repeat(maxBodyBytes))).status, 400)
  t.equal((await post('x'.repeat(maxBodyBytes + 1), { 'content-type': 'text/plain' })).status, 415)
})

void t.test('a patch cannot grow without limit', async (t) => {
  await post(configMap('small', ',"data":{"a":"1"}'))
  const patch = (operations: object[]) =>
    answerTo({
      method: 'PATCH',
      path: `${configMapsPath}/small`,
      headers: jsonPatch,
      body: JSON.stringify(operations),
    })
  const doubling = Array.from({ length: 60 }, (_, at) => ({
    op: 'copy',
    from: '/data',
    path: `/data/x${at}`,
  }))
  t.equal((await patch(doubling)).status, 422)
  const test = { op: 'test', path: '/data/a', value: '1' }
  t.match(await patch(Array.from({ length: 10_001 }, () => test)), {
    status: 413,
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  })
})

void t.test(
  'selectors and names that would make a backtracking matcher exponential are answered at once',
  async (t) => {
    for (const text of ['a.', 'a-', '-', '.', 'a/', ',', '(', 'a,', '\\,', 'in in ']) {
      const long = encodeURIComponent(text.repeat(30_000))
      for (const parameter of ['labelSelector', 'fieldSelector', 'continue', 'limit']) {
        await server.handle({ method: 'GET', path: `${configMapsPath}?${parameter}=${long}` })
      }
      await post(configMap(`${text.replace('\\', '')}!`.repeat(20_000)))
      await server.handle({
        method: 'GET',
        path: `${configMapsPath}/${long}`,
        headers: { accept: text.repeat(20_000) },
      })
    }
    t.pass()
  },
)

void t.test('certificate requests that would make a check slow are answered at once', async (t) => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  const label = '-----BEGIN CERTIFICATE REQUEST-----\n'
  const send = (method: string, at: string, object: object) =>
    answerTo({ method, path: at, headers: jsonType, body: JSON.stringify(object) })
  const create = (request: string) => {
    const spec = { request, signerName: 'example.com/a', usages: ['client auth'] }
    return send('POST', path, { metadata: { name: 'slow' }, spec })
  }
  const started = process.cpuUsage()
  for (const line of [':::\n', 'a:b:c:d\n', 'A\n', '-----\n', label, '-----BEGIN A:-----\n']) {
    const text = `${label}${line.repeat(20_000)}x!\n`
    t.equal((await create(Buffer.from(text).toString('base64'))).status, 422, line)
  }
  t.equal((await create(encodedRequest)).status, 201)
  for (const condition of [{}, { type: 'Approved' }]) {
    const conditions = Array.from({ length: 40_000 }, () => condition)
    const { status } = await send('PUT', `${path}/slow/status`, {
      metadata: { name: 'slow' },
      status: { conditions },
    })
    t.equal(status, 422)
  }
  const { user, system } = process.cpuUsage(started)
  const used = (user + system) / 1000
  t.ok(used < 4000, `${used} ms of CPU time`)
})

/** Makes one call over HTTP/1.1, and returns its status or error code. */
function statusOf(path: string, headers: Record<string, string>): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { headers, rejectUnauthorized: false, agent: false }
    const request = httpsRequest(`${url}${path}`, options, (response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
    })
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    request.end()
  })
}

void t.test('headers may be as long as on a real server', async (t) => {
  t.equal(await statusOf('/version', { long: 'x'.repeat(900_000) }), 200)
  // The response may be lost, because the server closes while its client is still sending.
  const refused = await statusOf('/version', { long: 'x'.repeat(1_100_000) })
  t.ok([431, 'ECONNRESET', 'EPIPE'].includes(refused), String(refused))
  t.equal(await statusOf(`/version?x=${'x'.repeat(500_000)}`, {}), 200)
})

/** Sends bytes over TLS and resolves when the server closes or answers. */
function sendBytes(bytes: Uint8Array, protocol: 'h2' | 'http/1.1'): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const options = {
      host: hostname,
      port: Number(port),
      ALPNProtocols: [protocol],
      rejectUnauthorized: false,
    }
    const socket = connectTls(options, () => {
      socket.end(bytes)
      socket.resume()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

void t.test('bytes that are not HTTP end only their own connection', async (t) => {
  const settings = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1')
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, greets) => {
      await sendBytes(bytes, 'http/1.1')
      await sendBytes(greets ? Buffer.concat([settings, bytes]) : bytes, 'h2')
    }),
    { numRuns: 25, interruptAfterTimeLimit: 8000 },
  )
  t.equal(await statusOf('/version', {}), 200)
  const session = connectHttp2(url, { rejectUnauthorized: false })
  t.teardown(() => session.close())
  await new Promise((resolve) => session.once('remoteSettings', resolve))
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'BREW']
const types = [
  'json',
  'yaml',
  'merge-patch+json',
  'json-patch+json',
  'strategic-merge-patch+json',
  'apply-patch+yaml',
  'vnd.kubernetes.protobuf',
  '',
]
const words = [
  'api',
  'apis',
  'v1',
  'namespaces',
  'default',
  'configmaps',
  'pods',
  'status',
  'scale',
  'apps',
  'deployments',
  '%00',
  '%',
  '..',
  '__proto__',
  'constructor',
  'kube-root-ca.crt',
]
const queries = [
  'limit',
  'continue',
  'watch',
  'resourceVersion',
  'labelSelector',
  'fieldSelector',
  'dryRun',
  'fieldManager',
  'force',
  'timeoutSeconds',
]
const jsonText = fc.json({ maxDepth: 4 })
const almost = fc
  .record(
    {
      apiVersion: fc.constantFrom('v1', 'apps/v1', '__proto__'),
      kind: fc.constantFrom('ConfigMap', 'Pod', 'constructor'),
      metadata: fc.jsonValue(),
      data: fc.jsonValue(),
      spec: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((object) => JSON.stringify(object))
const segment = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, fc.webSegment())

void t.test('every request is answered, and never with an internal error', async (t) => {
  const requests = fc.record({
    method: fc.constantFrom(...methods),
    segments: fc.array(segment, { maxLength: 7 }),
    query: fc.dictionary(
      fc.constantFrom(...queries),
      fc.oneof(fc.string(), fc.constantFrom('1', 'true', 'All', 'a=b', '__proto__=a', 'constructor=a')),
      { maxKeys: 3 },
    ),
    type: fc.constantFrom(...types),
    accept: fc.oneof(fc.constant('application/json'), fc.string()),
    body: fc.oneof(almost, jsonText, fc.string(), fc.uint8Array({ maxLength: 200 })),
  })
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, segments, query, type, accept, body }) => {
      const path = `/${segments.join('/')}?${new URLSearchParams(query)}`
      const headers = { accept, 'content-type': type === '' ? '' : `application/${type}` }
      const answer = await server.handle({ method, path, headers, body, signal: AbortSignal.abort() })
      if (answer.status === 500 && answer.body instanceof Uint8Array) {
        const text = Buffer.from(answer.body).toString()
        if (text.includes('Internal error')) throw new Error(text)
      }
    }),
    { numRuns: 1500, interruptAfterTimeLimit: 10_000 },
  )
  t.pass()
})

void t.test('warnings and checks of long lists and texts are linear, and refuse nothing', async (t) => {
  const create = async (name: string, spec: object) => {
    const began = process.cpuUsage()
    const template = { spec: { containers: [{ name: 'a', image: 'a' }], ...spec } }
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name }, template })
    const headers = { 'content-type': 'application/json' }
    const path = '/api/v1/namespaces/default/podtemplates'
    const { status } = await server.handle({ method: 'POST', path, headers, body })
    t.ok(process.cpuUsage(began).user < 3_000_000, `the time of ${name}`)
    return status
  }
  const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })
  const ports = Array.from({ length: 4000 }, () => ({ containerPort: 80 }))
  t.equal(await create('ports', { containers: [{ name: 'a', image: 'a', ports }] }), 201)
  const items = Array.from({ length: 4000 }, () => ({ key: 'a', path: 'a' }))
  t.equal(await create('files', volume({ configMap: { name: 'a', items } })), 201)
  const downward = { items: [{ path: 'a', fieldRef: { fieldPath: "['".repeat(80_000) } }] }
  t.equal(await create('fields', volume({ downwardAPI: downward })), 422)
  const iscsi = { targetPortal: 'a', iqn: 'iqn.2000-01.'.repeat(20_000), lun: 0 }
  t.equal(await create('disks', volume({ iscsi })), 422)
})
