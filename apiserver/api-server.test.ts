import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseJson, stringifyJson } from '../sdk/engine/kube/json.js'
import { type ApiServer, createApiServer } from './api-server.js'
import type { ServerClock } from './base/clock.js'
import type { ApiRequest } from './request/request.js'
import type { ApiServerOptions } from './server/options.js'

const configMaps = '/api/v1/namespaces/default/configmaps'
const jsonType = { 'content-type': 'application/json' }
const mergeType = { 'content-type': 'application/merge-patch+json' }

/** A JSON response with untyped members. */
interface Body {
  readonly [member: string]: Body
}

interface Answer {
  readonly status: number
  readonly body: Body
}

/** A clock that moves only when the test advances it. */
class ManualClock implements ServerClock {
  #now = Date.parse('2030-01-01T00:00:00Z')
  #timers: { at: number; callback: () => void }[] = []

  date(): Date {
    return new Date(this.#now)
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.#now + delayMs, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  get pending(): number {
    return this.#timers.length
  }

  advance(ms: number): void {
    this.#now += ms
    const due = this.#timers.filter(({ at }) => at <= this.#now)
    this.#timers = this.#timers.filter(({ at }) => at > this.#now)
    for (const { callback } of due) callback()
  }
}

async function startServer(t: Test, options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = await createApiServer(options)
  t.teardown(() => server.close())
  return server
}

async function call(
  server: ApiServer,
  request: Omit<ApiRequest, 'body'> & { body?: unknown },
): Promise<Answer> {
  const { body, headers = jsonType, ...rest } = request
  const text = body === undefined || typeof body === 'string' ? body : stringifyJson(body)
  const answer = await server.handle({ ...rest, headers, ...(text === undefined ? {} : { body: text }) })
  const bytes = answer.body instanceof Uint8Array ? answer.body : new Uint8Array()
  return { status: answer.status, body: parseJson(bytes) as Body }
}

/** The schema of a custom resource with any content. */
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const configMap = (name: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...rest,
})

const create = (server: ApiServer, name: string, rest: object = {}) =>
  call(server, { method: 'POST', path: configMaps, body: configMap(name, rest) })

async function open(
  server: ApiServer,
  query: string,
  signal?: AbortSignal,
): Promise<AsyncIterator<Uint8Array>> {
  const path = `${configMaps}?watch=1&${query}`
  const answer = await server.handle({ method: 'GET', path, ...(signal === undefined ? {} : { signal }) })
  if (answer.body instanceof Uint8Array)
    throw new Error(`no watch but ${Buffer.from(answer.body).toString()}`)
  return answer.body[Symbol.asyncIterator]()
}

/** The events of the next chunk, `undefined` at the end. */
async function next(watch: AsyncIterator<Uint8Array>): Promise<string[] | undefined> {
  const { done, value } = await watch.next()
  if (done === true) return undefined
  const lines = Buffer.from(value).toString('utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const { type, object } = parseJson(line) as Body
    return `${type} ${object?.metadata?.name ?? object?.metadata?.resourceVersion ?? object?.code}`
  })
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The PEM texts of a kubeconfig. */
async function tlsOf(server: ApiServer): Promise<{ ca: string; cert: string; key: string }> {
  const kubeconfig = await server.kubeconfig()
  const data = (name: string) => {
    const base64 = new RegExp(`${name}: (\\S+)`).exec(kubeconfig)?.[1] ?? ''
    return Buffer.from(base64, 'base64').toString('utf8')
  }
  return {
    ca: data('certificate-authority-data'),
    cert: data('client-certificate-data'),
    key: data('client-key-data'),
  }
}

/** One HTTP/1.1 call. */
function callHttps(url: string, options: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { ...options, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.end()
  })
}

void t.test('in process and over HTTPS', async (t) => {
  await t.test('a caller in process is the administrator by default', async (t) => {
    const server = await startServer(t, { tokens: { secret: { name: 'bob', groups: ['team'] } } })
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const who = async (headers: Record<string, string>) => {
      const { status, body } = await call(server, {
        method: 'POST',
        path,
        headers: { ...jsonType, ...headers },
        body: {},
      })
      return [status, String(body.status?.userInfo?.username ?? body.message)]
    }
    t.strictSame(await who({}), [201, 'admin'])
    t.strictSame(await who({ authorization: 'Bearer secret' }), [201, 'bob'])
    t.strictSame(await who({ authorization: 'Bearer guess' }), [401, 'Unauthorized'])
  })

  await t.test('on a socket a client needs a certificate or a token', async (t) => {
    const server = await startServer(t, { tokens: { secret: { name: 'bob', groups: [] } } })
    const url = await server.listen()
    const { ca, cert, key } = await tlsOf(server)
    const path = `${url}${configMaps}`
    t.equal((await callHttps(path, { ca, cert, key })).status, 200)
    t.equal((await callHttps(path, { ca, headers: { authorization: 'Bearer secret' } })).status, 200)
    t.equal((await callHttps(path, { ca })).status, 401)
    t.equal((await callHttps(path, { ca, headers: { authorization: 'Bearer guess' } })).status, 401)
    const otherServer = await startServer(t)
    await otherServer.listen()
    const other = await tlsOf(otherServer)
    t.equal((await callHttps(path, { ca, cert: other.cert, key: other.key })).status, 401)
    t.strictSame(await callHttps(`${url}/healthz`, { ca }), { status: 200, text: 'ok' })
  })

  await t.test('HTTP/2 carries a hundred streams per session, including a watch and calls', async (t) => {
    const server = await startServer(t)
    const url = await server.listen()
    const session = connectHttp2(url, await tlsOf(server))
    t.teardown(() => session.destroy())
    await new Promise((resolve) => session.once('remoteSettings', resolve))
    t.equal(session.alpnProtocol, 'h2')
    t.equal(session.remoteSettings.maxConcurrentStreams, 100)
    const watch = session.request({
      ':path': `${configMaps}?watch=1&resourceVersion=${server.resourceVersion}`,
    })
    await new Promise((resolve) => watch.once('response', resolve))
    await create(server, 'told')
    const chunk = await new Promise<Buffer>((resolve) => watch.once('data', resolve))
    t.match(chunk.toString(), /"type":"ADDED".*"name":"told"/)
    const ended = new Promise((resolve) => watch.once('close', resolve))
    await server.close()
    await ended
  })

  await t.test('an error names a port that is in use', async (t) => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    t.teardown(() => blocker.close())
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const server = await startServer(t, { name: 'blocked' })
    await t.rejects(server.listen({ port }), {
      message: new RegExp(`^port ${port} on 127.0.0.1 is in use`),
    })
    t.throws(() => server.url, { message: 'the API server "blocked" has no URL; call listen() first' })
    await server.listen()
    t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  })
})

void t.test('watches', async (t) => {
  await t.test(
    'bookmarks come at their interval and the watch ends at its timeout, both by the clock',
    async (t) => {
      const clock = new ManualClock()
      const server = await startServer(t, { clock, bookmarkIntervalMs: 10_000 })
      const watch = await open(
        server,
        `resourceVersion=${server.resourceVersion}&allowWatchBookmarks=true&timeoutSeconds=25`,
      )
      const first = next(watch)
      clock.advance(10_000)
      t.strictSame(await first, [`BOOKMARK ${server.resourceVersion}`])
      await create(server, 'a')
      t.strictSame(await next(watch), ['ADDED a'])
      const second = next(watch)
      clock.advance(10_000)
      t.strictSame(await second, [`BOOKMARK ${server.resourceVersion}`])
      const end = next(watch)
      clock.advance(5_000)
      t.equal(await end, undefined)
      t.equal(clock.pending, 0)
    },
  )

  await t.test(
    'closing the server, aborting the signal and cancelling the reader each end a watch and its timers',
    async (t) => {
      const clock = new ManualClock()
      const server = await startServer(t, { clock })
      const abort = new AbortController()
      const byServer = await open(server, 'resourceVersion=5&allowWatchBookmarks=true')
      const bySignal = await open(server, 'resourceVersion=5', abort.signal)
      const byReader = await open(server, 'resourceVersion=5')
      for (const watch of [byServer, bySignal, byReader]) await next(watch)
      const waiting = next(bySignal)
      abort.abort()
      t.equal(await waiting, undefined)
      await byReader.return?.()
      t.equal(await next(byReader), undefined)
      const last = next(byServer)
      await server.close()
      t.equal(await last, undefined)
      t.equal(clock.pending, 0)
    },
  )

  await t.test(
    'compacted history is gone at the start of a watch, during one, and for old pages',
    async (t) => {
      const server = await startServer(t, { historySize: 4 })
      const { body: first } = await create(server, 'first')
      const old = String(first.metadata?.resourceVersion)
      const slow = await open(server, `resourceVersion=${old}`)
      const page = await call(server, { method: 'GET', path: `${configMaps}?limit=1` })
      for (let index = 0; index < 20; index++) await create(server, `more-${index}`)
      t.strictSame(await next(slow), ['ERROR 410'])
      t.equal(await next(slow), undefined)
      const late = await open(server, `resourceVersion=${old}`)
      t.strictSame(await next(late), ['ERROR 410'])
      t.equal(await next(late), undefined)
      const token = String(page.body.metadata?.continue)
      const gone = await call(server, { method: 'GET', path: `${configMaps}?continue=${token}` })
      t.equal(gone.status, 410)
      const rest = String((gone.body.metadata as { continue?: string }).continue)
      const inconsistent = await call(server, { method: 'GET', path: `${configMaps}?continue=${rest}` })
      t.equal(inconsistent.status, 200, 'the token in the error continues from there')
      const fresh = server.resourceVersion
      server.compact()
      const resumed = await open(server, `resourceVersion=${fresh}`)
      await create(server, 'after')
      t.strictSame(await next(resumed), ['ADDED after'])
    },
  )

  await t.test('a waiting reader gets all events in order, in any chunks', async (t) => {
    const server = await startServer(t)
    const watch = await open(server, `resourceVersion=${server.resourceVersion}`)
    const names = Array.from({ length: 1200 }, (_, index) => `n-${String(index).padStart(4, '0')}`)
    const waiting = next(watch)
    for (const name of names) await create(server, name)
    const told = (await waiting) ?? []
    while (told.length < names.length) told.push(...((await next(watch)) ?? []))
    t.strictSame(
      told,
      names.map((name) => `ADDED ${name}`),
    )
  })
})

void t.test('data', async (t) => {
  await t.test('any key and any number survive every kind of write', async (t) => {
    const server = await startServer(t)
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'cars.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'cars', kind: 'Car' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: anything } }],
      },
    }
    const path = '/apis/example.com/v1/cars'
    await call(server, {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: definition,
    })
    t.equal((await server.handle({ method: 'GET', path })).status, 404)
    await turn()
    const body =
      '{"kind":"Car","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{"big":9007199254740993,"__proto__":{"x":1}}}'
    await call(server, { method: 'POST', path, body })
    await call(server, {
      method: 'PATCH',
      path: `${path}/a`,
      headers: mergeType,
      body: '{"spec":{"__proto__":{"y":9007199254740995}}}',
    })
    const operations =
      '[{"op":"add","path":"/spec/__proto__/z","value":3},{"op":"test","path":"/spec/big","value":9007199254740993}]'
    await call(server, {
      method: 'PATCH',
      path: `${path}/a`,
      headers: { 'content-type': 'application/json-patch+json' },
      body: operations,
    })
    const { body: found } = await call(server, { method: 'GET', path: `${path}/a` })
    t.equal(
      stringifyJson(found.spec),
      '{"big":9007199254740993,"__proto__":{"x":1,"y":9007199254740995,"z":3}}',
    )
    t.equal(found.metadata?.generation as unknown, 3)
  })

  await t.test('custom resources are served again after a restore', async (t) => {
    const server = await startServer(t)
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: anything } }]
    const spec = { group: 'example.com', scope: 'Cluster', names: { plural: 'cars', kind: 'Car' }, versions }
    await call(server, {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: { metadata: { name: 'cars.example.com' }, spec },
    })
    await turn()
    const path = '/apis/example.com/v1/cars'
    t.equal((await call(server, { method: 'GET', path })).status, 200)
    server.restore(server.snapshot())
    t.equal((await server.handle({ method: 'GET', path })).status, 200)
  })

  await t.test('a protobuf body is read like the equal JSON body', async (t) => {
    const server = await startServer(t)
    const field = (number: number, content: Buffer | string) => {
      const bytes = Buffer.from(content)
      return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.byteLength]), bytes])
    }
    const metadata = Buffer.concat([
      field(1, 'sent'),
      field(3, ''),
      field(11, Buffer.concat([field(1, 'a'), field(2, 'b')])),
    ])
    const object = Buffer.concat([
      field(1, metadata),
      field(2, Buffer.concat([field(1, 'key'), field(2, 'value')])),
      field(3, Buffer.concat([field(1, 'bin'), field(2, Buffer.from([0, 255]))])),
      Buffer.from([4 << 3, 1]),
    ])
    const type = Buffer.concat([field(1, 'v1'), field(2, 'ConfigMap')])
    const body = Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, object)])
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' }
    const answer = await server.handle({ method: 'POST', path: configMaps, headers, body })
    t.equal(answer.status, 201)
    const { metadata: written, ...rest } = parseJson(answer.body as Uint8Array) as Body
    t.strictSame(rest, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      data: { key: 'value' },
      binaryData: { bin: 'AP8=' },
      immutable: true,
    })
    t.strictSame(written?.labels, { a: 'b' })
    const broken = await call(server, { method: 'POST', path: configMaps, headers, body: 'k8s' })
    t.equal(broken.status, 400)
  })

  await t.test('two servers with the same seed give the same results for the same requests', async (t) => {
    const run = async () => {
      const server = await startServer(t, {
        seed: 7,
        clock: new ManualClock(),
        name: 'twin',
        firstRevision: 100,
      })
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'n-' } }
      return [await call(server, { method: 'POST', path: configMaps, body }), server.resourceVersion]
    }
    t.strictSame(await run(), await run())
  })

  await t.test('a page is followed by the rest of the list at the same revision', async (t) => {
    const server = await startServer(t)
    for (const name of ['a', 'b', 'c']) await create(server, name)
    const first = await call(server, { method: 'GET', path: `${configMaps}?limit=2` })
    t.equal(first.body.metadata?.remainingItemCount as unknown, 2)
    await call(server, { method: 'DELETE', path: `${configMaps}/c` })
    await create(server, 'bb')
    const path = `${configMaps}?limit=1&continue=${first.body.metadata?.continue}`
    const { body } = await call(server, { method: 'GET', path })
    const items = body.items as unknown as Body[]
    t.strictSame(
      items.map((item) => item.metadata?.name),
      ['c'],
    )
    t.equal(body.metadata?.remainingItemCount as unknown, 1)
  })
})

void t.test('the control plane runs its controllers', async (t) => {
  const owned = (name: string, owner: Body, more: object = {}) => ({
    ...configMap(name),
    metadata: {
      name,
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: owner.metadata?.name,
          uid: owner.metadata?.uid,
          ...more,
        },
      ],
    },
  })
  const namesIn = async (server: ApiServer) => {
    const { body } = await call(server, { method: 'GET', path: configMaps })
    return (body.items as unknown as Body[])
      .map((item) => String(item.metadata?.name))
      .filter((name) => name !== 'kube-root-ca.crt')
  }
  const remove = (server: ApiServer, name: string, body?: object) =>
    call(server, {
      method: 'DELETE',
      path: `${configMaps}/${name}`,
      ...(body === undefined ? {} : { body }),
    })

  await t.test(
    'dependents are deleted with their owner, and objects with missing owners are deleted',
    async (t) => {
      const server = await startServer(t)
      const { body: owner } = await create(server, 'owner')
      await call(server, { method: 'POST', path: configMaps, body: owned('child', owner) })
      const missing = { metadata: { name: 'missing', uid: 'none' } } as unknown as Body
      await call(server, { method: 'POST', path: configMaps, body: owned('unowned', missing) })
      await turn()
      t.strictSame(await namesIn(server), ['child', 'owner'])
      await remove(server, 'owner')
      await turn()
      t.strictSame(await namesIn(server), [])
    },
  )

  await t.test('an owner deleted in the foreground waits for dependents that block it', async (t) => {
    const server = await startServer(t)
    const { body: owner } = await create(server, 'owner')
    const child = owned('child', owner, { blockOwnerDeletion: true })
    await call(server, {
      method: 'POST',
      path: configMaps,
      body: { ...child, metadata: { ...child.metadata, finalizers: ['example.com/hold'] } },
    })
    await remove(server, 'owner', { propagationPolicy: 'Foreground' })
    await turn()
    t.strictSame(await namesIn(server), ['child', 'owner'])
    await call(server, {
      method: 'PATCH',
      path: `${configMaps}/child`,
      headers: mergeType,
      body: { metadata: { finalizers: null } },
    })
    await turn()
    t.strictSame(await namesIn(server), [])
  })

  await t.test('orphans are kept, without the reference', async (t) => {
    const server = await startServer(t)
    const { body: owner } = await create(server, 'owner')
    await call(server, { method: 'POST', path: configMaps, body: owned('child', owner) })
    await remove(server, 'owner', { propagationPolicy: 'Orphan' })
    await turn()
    t.strictSame(await namesIn(server), ['child'])
    const { body } = await call(server, { method: 'GET', path: `${configMaps}/child` })
    t.equal(body.metadata?.ownerReferences, undefined)
  })

  await t.test('without controllers a namespace has no default objects, and stays terminating', async (t) => {
    const server = await startServer(t, { controllers: false })
    t.strictSame((await call(server, { method: 'GET', path: configMaps })).body.items as unknown, [])
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }
    await call(server, { method: 'POST', path: '/api/v1/namespaces', body })
    await call(server, { method: 'DELETE', path: '/api/v1/namespaces/n' })
    await turn()
    t.equal(
      (await call(server, { method: 'GET', path: '/api/v1/namespaces/n' })).body.status?.phase as unknown,
      'Terminating',
    )
  })

  await t.test('a namespace gets its default objects, which are restored when deleted', async (t) => {
    const server = await startServer(t)
    t.equal((await call(server, { method: 'DELETE', path: `${configMaps}/kube-root-ca.crt` })).status, 200)
    await turn()
    const { body } = await call(server, { method: 'GET', path: `${configMaps}/kube-root-ca.crt` })
    t.match(String(body.data?.['ca.crt']), /^-----BEGIN CERTIFICATE-----/)
    t.equal(
      (await call(server, { method: 'GET', path: '/api/v1/namespaces/default/serviceaccounts/default' }))
        .status,
      200,
    )
  })
})

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

void t.test('kubectl works', { skip: hasKubectl ? false : 'kubectl is not on the PATH' }, async (t) => {
  const server = await startServer(t)
  await server.listen()
  const dir = await mkdtemp(join(tmpdir(), 'apiserver-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const file = join(dir, 'kubeconfig')
  await writeFile(file, await server.kubeconfig(), { mode: 0o600 })
  const flags = ['--kubeconfig', file, '--cache-dir', join(dir, 'cache')]
  const kubectl = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<string> =>
    new Promise((resolve) => {
      const child = spawn('kubectl', [...flags, ...args], { env: { ...process.env, ...env } })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.once('close', () => resolve(output.trimEnd()))
      child.stdin.end(input)
    })
  const manifest = (value: string) => stringifyJson(configMap('applied', { data: { key: value } }))

  t.equal(await kubectl(['create', 'configmap', 'made', '--from-literal=a=b']), 'configmap/made created')
  t.match(await kubectl(['get', 'configmap', 'made']), /^NAME +DATA +AGE\nmade +1 +\d+s$/)
  t.equal(await kubectl(['apply', '-f', '-'], manifest('1')), 'configmap/applied created')
  t.equal(await kubectl(['apply', '-f', '-'], manifest('2')), 'configmap/applied configured')
  t.equal(await kubectl(['apply', '-f', '-'], manifest('2')), 'configmap/applied unchanged')
  t.equal(await kubectl(['label', 'configmap', 'made', 'x=y']), 'configmap/made labeled')
  t.equal(await kubectl(['annotate', 'configmap', 'made', 'x=y']), 'configmap/made annotated')
  t.equal(
    await kubectl(['edit', 'configmap', 'made'], '', { EDITOR: "sed -i 's/a: b/a: c/'" }),
    'configmap/made edited',
  )
  t.equal(await kubectl(['get', 'configmap', 'made', '-o', 'jsonpath={.data.a}{.metadata.labels.x}']), 'cy')
  t.match(await kubectl(['describe', 'configmap', 'made']), /^Name: +made\nNamespace: +default\nLabels: +x=y/)
  t.equal(await kubectl(['delete', 'configmap', 'made']), 'configmap "made" deleted')
  const mistaken = stringifyJson(configMap('applied', { dataa: {} }))
  t.match(await kubectl(['apply', '-f', '-'], mistaken), /unknown field "dataa"/)
})
