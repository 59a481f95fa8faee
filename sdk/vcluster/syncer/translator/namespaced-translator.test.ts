import fc from 'fast-check'
import t from 'tap'
import type { DeleteOptions } from '../../../engine/client/client.js'
import { NameConflictError } from '../../../engine/controller/name-conflict-error.js'
import {
  type ConfigMap,
  configMaps,
  type Node,
  nodes,
  type Secret,
  secrets,
} from '../../../engine/kube/builtin.js'
import { ApiError, isConflict } from '../../../engine/kube/error.js'
import { jsonEqual } from '../../../engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject, OwnerReference } from '../../../engine/kube/object.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import { noMetrics } from '../../../engine/observe/metrics.js'
import { systemClock } from '../../../engine/time/clock.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { isCopyOf } from '../../ownership/ownership.js'
import type { Pair } from '../syncer.js'
import { NamespacedTranslator } from './namespaced-translator.js'

/** A host cluster of one object and a script: what is asked of it, and the error it answers next. */
class ScriptedHost {
  readonly calls: string[] = []
  readonly events: string[] = []
  written: KubeObject | undefined
  /** The object in the cluster, and in the store unless `storeIsBehind`. */
  object: KubeObject | undefined
  storeIsBehind = false
  failure: unknown

  readonly client = {
    create: async (_: unknown, object: KubeObject) => this.#answer('create', object),
    update: async (_: unknown, object: KubeObject) => this.#answer('update', object),
    get: async () => this.object ?? Promise.reject(apiError(404, 'NotFound')),
    delete: async (_: unknown, key: { name: string }, { uid, resourceVersion }: DeleteOptions) =>
      this.#answer(`delete ${key.name} ${uid}@${resourceVersion}`),
  }

  readonly store = () => ({ get: () => (this.storeIsBehind ? undefined : this.object) })

  #answer(call: string, object?: KubeObject): KubeObject {
    this.calls.push(call)
    this.written = object
    if (this.failure !== undefined) throw this.failure
    return object ?? { metadata: {} }
  }
}

function apiError(code: number, reason: string, message = `${reason} it is`): ApiError {
  const causes = [{ field: 'data[key]', message }]
  return new ApiError({ code, reason, message, details: { causes } })
}

class ConfigMapSyncer extends NamespacedTranslator<ConfigMap> {
  syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

const owner: OwnerReference = { apiVersion: 'v1', kind: 'Service', name: 'vc', uid: 'service-uid' }

function setUp(overrides: Partial<RegisterContext> = {}) {
  const host = new ScriptedHost()
  const cluster = { side: 'host', client: host.client, store: host.store }
  const ctx = {
    pluginName: 'test',
    vclusterName: 'vc',
    targetNamespace: 'vc-host',
    currentNamespace: 'vc-host',
    labelMode: 'reserved',
    virtual: cluster,
    host: cluster,
    owner: () => owner,
    logger: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
    key: { namespace: 'default', name: 'greeting' },
    signal: new AbortController().signal,
    events: {
      warning: (object: KubeObject, reason: string, message: string) =>
        host.events.push(`${formatKey(keyOf(object))} ${reason} ${message}`),
      normal: () => {},
    },
    ...overrides,
  } as unknown as SyncContext
  return { host, ctx, syncer: new ConfigMapSyncer(ctx, 'configmap', configMaps) }
}

const greeting: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'greeting',
    namespace: 'default',
    generateName: 'greet',
    uid: 'u1',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    deletionTimestamp: '2026-01-02T00:00:00Z',
    deletionGracePeriodSeconds: 0,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'X', name: 'x', uid: 'x', controller: true }],
    finalizers: ['stay'],
    managedFields: [{}],
    labels: { app: 'web' },
    annotations: { note: 'hi' },
  },
  data: { greeting: 'hello' },
  binaryData: { raw: 'AAE=' },
  immutable: false,
}

/** The object as the host's API server would hold it. */
function stored(copy: ConfigMap): ConfigMap {
  return { ...copy, metadata: { ...copy.metadata, uid: 'host-uid', resourceVersion: '3' } }
}

/** Freezes an object and everything in it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}

void t.test('a new copy has the content, its own metadata and the vcluster’s Service as owner', async (t) => {
  const { syncer } = setUp()
  const copy = syncer.translateMetadata(frozen({ ...greeting, status: { phase: 'x' } } as ConfigMap))
  const { metadata, ...content } = copy
  t.strictSame(content, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { greeting: 'hello' },
    binaryData: { raw: 'AAE=' },
    immutable: false,
  })
  t.equal(content.data, greeting.data, 'content is shared, not copied')
  const { labels, annotations, ...rest } = metadata
  t.strictSame(rest, {
    name: 'greeting-x-default-x-vc',
    namespace: 'vc-host',
    ownerReferences: [{ ...owner, controller: true }],
  })
  t.match(labels, { app: 'web', 'vcluster.loft.sh/managed-by': 'vc' })
  t.match(annotations, { note: 'hi', 'vcluster.loft.sh/object-uid': 'u1' })
})

void t.test('a copy has no owner where the vcluster has no Service', async (t) => {
  const { syncer } = setUp({ owner: () => undefined })
  t.notOk('ownerReferences' in syncer.translateMetadata(greeting).metadata)
})

void t.test('the label mode is the vcluster’s unless the option says otherwise', async (t) => {
  const { ctx } = setUp({ labelMode: 'hashed' })
  const appOf = (syncer: ConfigMapSyncer) => syncer.translateMetadata(greeting).metadata.labels?.app
  t.equal(appOf(new ConfigMapSyncer(ctx, 'configmap', configMaps)), undefined)
  t.equal(appOf(new ConfigMapSyncer(ctx, 'configmap', configMaps, { labelMode: 'reserved' })), 'web')
})

void t.test('filters keep labels and annotations that carry weight on the host from the copy', async (t) => {
  const { ctx } = setUp()
  const syncer = new ConfigMapSyncer(ctx, 'configmap', configMaps, {
    labels: { deny: ['istio.io/*'] },
    annotations: { allow: ['note'] },
    excludedAnnotations: ['field.cattle.io/publicEndpoints'],
  })
  const metadata = {
    ...greeting.metadata,
    labels: { app: 'web', 'istio.io/rev': 'x' },
    annotations: { note: 'hi', 'external-dns.io/hostname': 'x', 'field.cattle.io/publicEndpoints': 'x' },
  }
  const copy = syncer.translateMetadata({ ...greeting, metadata }).metadata
  t.strictSame(
    Object.keys(copy.labels ?? {}).filter((key) => !key.startsWith('vcluster')),
    ['app'],
  )
  t.strictSame(
    Object.keys(copy.annotations ?? {}).filter((key) => !key.startsWith('vcluster')),
    ['note'],
  )
})

void t.test(
  'names are translated to the host and back, and a foreign object has no virtual name',
  async (t) => {
    const { syncer } = setUp()
    const key = { namespace: 'default', name: 'greeting' }
    const copy = syncer.translateMetadata(greeting)
    t.strictSame(syncer.virtualToHost(key), keyOf(copy))
    t.equal(syncer.virtualToHost({ namespace: 'default', name: '' }), undefined)
    t.strictSame(syncer.hostToVirtual(copy), key)
    t.equal(syncer.isManaged(copy), true)
    const foreign = { ...copy, metadata: { ...copy.metadata, labels: {} } }
    t.equal(syncer.hostToVirtual(foreign), undefined)
    t.equal(syncer.isManaged(foreign), false)
  },
)

void t.test(
  'a cluster-scoped kind and an object without a host name are refused with a reason',
  async (t) => {
    const { ctx } = setUp()
    class NodeSyncer extends NamespacedTranslator<Node> {
      syncDown = async () => undefined
      sync = async () => undefined
    }
    class Nameless extends ConfigMapSyncer {
      override virtualToHost = () => undefined
    }
    t.throws(() => new NodeSyncer(ctx, 'node', undefined as never), {
      code: 'INVALID_REGISTRATION',
      message:
        'the syncer node has no kind: its resource is undefined, as where two files import each other; pass one such as configMaps, or what defineKind returns',
    })
    t.throws(() => new NodeSyncer(ctx, 'node', nodes), { code: 'NOT_NAMESPACED', message: /node.*nodes/ })
    const nameless = new Nameless(ctx, 'configmap', configMaps)
    t.throws(() => nameless.translateMetadata(greeting), {
      code: 'NO_HOST_NAME',
      message: /default\/greeting/,
    })
  },
)

void t.test(
  'an update changes what differs, keeps what is the host’s and the version it was made from',
  async (t) => {
    const { syncer } = setUp()
    const copy = stored(syncer.translateMetadata(greeting))
    const host = frozen({
      ...copy,
      data: { greeting: 'edited by hand' },
      extra: 'gone',
      status: { phase: 'host' },
      metadata: {
        ...copy.metadata,
        finalizers: ['host'],
        annotations: { ...copy.metadata.annotations, own: 'x' },
      },
    })
    const { binaryData: _, ...withoutBinary } = greeting
    const updated = syncer.translateUpdate(host, frozen({ ...withoutBinary, immutable: true }))
    t.strictSame(updated, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { greeting: 'hello' },
      immutable: true,
      status: { phase: 'host' },
      metadata: host.metadata,
    })
  },
)

void t.test('annotations that an old copy lacks are added by an update', async (t) => {
  const { syncer } = setUp()
  const copy = stored(syncer.translateMetadata(greeting))
  const old = Object.entries(copy.metadata.annotations ?? {}).filter(
    ([key]) => !/uid|kind|host-name/.test(key),
  )
  const host = { ...copy, metadata: { ...copy.metadata, annotations: Object.fromEntries(old) } }
  t.strictSame(syncer.translateUpdate(host, greeting), copy)
  t.equal(syncer.translateMetadataUpdate(host, greeting).changed, true)
  t.equal(syncer.translateMetadataUpdate(copy, greeting).changed, false)
})

const text = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'vcluster.loft.sh/object-uid', 'release'),
  fc.string(),
)
const textMap = fc.array(fc.tuple(text, text), { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
const content = fc.record({ data: textMap, binaryData: textMap, spec: fc.jsonValue() }, { requiredKeys: [] })
const someMeta = fc.record({ labels: textMap, annotations: textMap }, { requiredKeys: [] })

const virtualObject = fc.tuple(content, someMeta).map(([fields, metadata]) => ({
  ...fields,
  metadata: { name: 'greeting', namespace: 'default', uid: 'u1', ...metadata },
}))

void t.test('a copy just made needs no update', async (t) => {
  const { syncer } = setUp()
  fc.assert(
    fc.property(virtualObject, (virtual) => {
      frozen(virtual)
      return syncer.translateUpdate(frozen(stored(syncer.translateMetadata(virtual))), virtual) === undefined
    }),
  )
  t.pass()
})

void t.test('one update is enough, whatever happened to the copy', async (t) => {
  const { syncer } = setUp()
  const edited = fc.tuple(content, someMeta, text)
  fc.assert(
    fc.property(virtualObject, edited, (virtual, [fields, metadata, managed]) => {
      const annotations = { ...metadata.annotations, 'vcluster.loft.sh/managed-annotations': managed }
      const host = frozen({ ...fields, metadata: { name: 'h', namespace: 'n', ...metadata, annotations } })
      const updated = syncer.translateUpdate(host, virtual) ?? host
      return (
        syncer.translateUpdate(updated, virtual) === undefined &&
        jsonEqual({ ...updated, metadata: undefined }, { ...virtual, metadata: undefined })
      )
    }),
  )
  t.pass()
})

void t.test('a copy has one source, even if several sources translate to its name', async (t) => {
  const { syncer } = setUp()
  const words = fc.array(fc.constantFrom('a', 'b', 'x', 'vc', 'a-x'), { minLength: 3, maxLength: 6 })
  const cuts = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  let collisions = 0
  fc.assert(
    fc.property(words, cuts, (parts, at) => {
      const [one, other] = at.map((cut) => {
        const middle = Math.min(cut, parts.length - 1)
        return { name: parts.slice(0, middle).join('-x-'), namespace: parts.slice(middle).join('-x-') }
      }) as [Key, Key]
      const copy = stored(syncer.translateMetadata({ metadata: { ...one, uid: 'u1' } }))
      const isSame = formatKey(one) === formatKey(other)
      if (!isSame && syncer.virtualToHost(other)?.name === copy.metadata.name) collisions++
      return isCopyOf(syncer, copy, one) && isCopyOf(syncer, copy, other) === isSame
    }),
  )
  t.ok(collisions > 20, `${collisions} pairs came to one name`)
})

void t.test('creating writes the copy, once', async (t) => {
  const { host, ctx, syncer } = setUp()
  t.equal(await syncer.syncDown(ctx, greeting), undefined)
  t.strictSame(host.calls, ['create'])
  t.strictSame(host.written, syncer.translateMetadata(greeting))
})

void t.test(
  'a copy that is already there is left to the next run, a foreign object is reported',
  async (t) => {
    const { host, ctx, syncer } = setUp()
    host.failure = apiError(409, 'AlreadyExists')
    host.storeIsBehind = true
    host.object = stored(syncer.translateMetadata(greeting))
    t.strictSame(await syncer.syncDown(ctx, greeting), { requeueAfterMs: 1000 })

    host.object = { metadata: { name: 'greeting-x-default-x-vc', namespace: 'vc-host' } }
    await t.rejects(syncer.syncDown(ctx, greeting), NameConflictError)

    const other = { ...greeting.metadata, name: 'greeting-x-default', namespace: 'x' }
    host.object = stored(syncer.translateMetadata({ ...greeting, metadata: other }))
    await t.rejects(
      syncer.syncDown(ctx, greeting),
      NameConflictError,
      'the copy of another object is a foreign object too',
    )

    host.object = undefined
    t.strictSame(await syncer.syncDown(ctx, greeting), { requeueAfterMs: 1000 }, 'it left meanwhile')
    t.strictSame(host.events, [])
  },
)

void t.test('two sources of one host name do not take the copy from each other', async (t) => {
  const { host, ctx, syncer } = setUp({ key: { namespace: 'c', name: 'a-x-b' } } as object)
  const named = (namespace: string, name: string): ConfigMap => ({ metadata: { namespace, name, uid: name } })
  const first = stored(syncer.translateMetadata(named('b-x-c', 'a')))
  host.object = first
  const second = named('c', 'a-x-b')
  t.strictSame(syncer.virtualToHost(keyOf(second)), keyOf(first))
  t.equal(syncer.isManaged(first), true)
  await t.rejects(
    syncer.syncDownUpdate(ctx, second, syncer.translateUpdate(first, second)),
    NameConflictError,
  )
  await t.rejects(async () => syncer.syncDownDelete(ctx, first), NameConflictError)
  t.strictSame(host.calls, [])
})

void t.test('a missing namespace is waited for, quietly', async (t) => {
  const { host, ctx, syncer } = setUp()
  host.failure = apiError(404, 'NotFound')
  t.strictSame(await syncer.syncDown(ctx, greeting), { requeueAfterMs: 1000 })
  const copy = stored(syncer.translateMetadata(greeting))
  t.strictSame(await syncer.syncDownUpdate(ctx, greeting, copy), { requeueAfterMs: 1000 })
  t.strictSame(host.events, [])
})

void t.test('a failure becomes an Event for the user and is thrown', async (t) => {
  const { host, ctx, syncer } = setUp()
  host.failure = apiError(403, 'Forbidden', 'exceeded quota')
  await t.rejects(syncer.syncDown(ctx, greeting), host.failure as Error)
  t.strictSame(host.events, ['default/greeting SyncError Error syncing to host cluster: exceeded quota'])
})

void t.test('an aborted run records no Event', async (t) => {
  const { host, ctx, syncer } = setUp({ signal: AbortSignal.abort() } as object)
  host.failure = new Error('aborted')
  await t.rejects(syncer.syncDown(ctx, greeting), { message: 'aborted' })
  t.strictSame(host.events, [])
})

class SecretSyncer extends NamespacedTranslator<Secret> {
  syncDown = (ctx: SyncContext, virtual: Secret) =>
    this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  sync = async () => undefined
}

void t.test('no Secret makes the host issue a token', async (t) => {
  const { ctx, syncer: configMapSyncer } = setUp()
  const syncer = new SecretSyncer(ctx, 'secret', secrets)
  const ofType = (type: string): Secret => ({ ...greeting, kind: 'Secret', type })
  const token = ofType('kubernetes.io/service-account-token')
  const copy = syncer.translateMetadata(token)
  t.equal(copy.type, 'Opaque')
  t.equal(
    syncer.translateUpdate(stored(copy as KubeObject as ConfigMap) as KubeObject as Secret, token),
    undefined,
  )
  t.equal(syncer.translateMetadata(ofType('kubernetes.io/tls')).type, 'kubernetes.io/tls')
  t.match(
    configMapSyncer.translateMetadata(token as KubeObject as ConfigMap),
    { type: token.type },
    'only of Secrets',
  )
})

void t.test('neither Event nor error has the data of a Secret', async (t) => {
  const { host, ctx } = setUp()
  const syncer = new SecretSyncer(ctx, 'secret', secrets)
  host.failure = apiError(422, 'Invalid', 'Invalid value: "canary"')
  const thrown = await syncer.syncDown(ctx, { metadata: greeting.metadata }).catch((error: unknown) => error)
  t.match(thrown, { code: 422, reason: 'Invalid', message: /422 Invalid \(data\[key\]\)/ })
  t.notMatch(JSON.stringify([host.events, thrown, String(thrown), (thrown as Error).cause]), 'canary')
  t.equal(host.events.length, 1)
})

void t.test('updating writes what changed, and nothing when nothing did', async (t) => {
  const { host, ctx, syncer } = setUp()
  const copy = stored(syncer.translateMetadata(greeting))
  host.object = copy
  await syncer.sync(ctx, { host: copy, virtual: greeting })
  t.strictSame(host.calls, [])

  await syncer.sync(ctx, { host: copy, virtual: { ...greeting, data: { greeting: 'new' } } })
  t.strictSame(host.calls, ['update'])
  t.strictSame(host.written, { ...copy, data: { greeting: 'new' } })
})

void t.test('an update meets a foreign object, a conflict and a refusal', async (t) => {
  const { host, ctx, syncer } = setUp()
  const copy = stored(syncer.translateMetadata(greeting))
  const changed = { ...copy, data: {} }
  host.object = { ...copy, metadata: { ...copy.metadata, labels: {} } }
  await t.rejects(syncer.syncDownUpdate(ctx, greeting, changed), NameConflictError)
  t.strictSame(host.calls, [])

  host.object = copy
  host.failure = apiError(409, 'Conflict')
  const conflict = await syncer.syncDownUpdate(ctx, greeting, changed).catch((error: unknown) => error)
  t.ok(isConflict(conflict))
  t.strictSame(host.events, [])

  host.failure = apiError(422, 'Invalid', 'too long')
  await t.rejects(syncer.syncDownUpdate(ctx, greeting, changed), host.failure as Error)
  t.strictSame(host.events, ['default/greeting SyncError Error syncing to host cluster: too long'])
  t.strictSame(host.calls, ['update', 'update'])
})

void t.test('a sealed copy whose content must change is replaced, any other is not', async (t) => {
  const { host, ctx, syncer } = setUp()
  const copy = { ...stored(syncer.translateMetadata(greeting)), immutable: true }
  host.object = copy
  const update = host.client.update
  host.client.update = async (resource, object) => {
    host.failure = apiError(422, 'Invalid')
    return update(resource, object).finally(() => {
      host.failure = undefined
    })
  }
  t.equal(await syncer.sync(ctx, { host: copy, virtual: greeting }), undefined)
  t.strictSame(host.calls, ['update', 'delete greeting-x-default-x-vc host-uid@3'])

  const labelled = {
    ...copy,
    metadata: { ...copy.metadata, labels: { ...copy.metadata.labels, too: 'long' } },
  }
  await t.rejects(syncer.syncDownUpdate(ctx, greeting, labelled), { code: 422 })
  t.equal(host.calls.length, 3, 'only the content is sealed')
})

void t.test('nothing is written that would not be recognised as the copy', async (t) => {
  const { host, ctx, syncer } = setUp()
  const copy = stored(syncer.translateMetadata(greeting))
  const wrong: [string, ConfigMap][] = [
    ['the original itself', greeting],
    ['another namespace', { ...copy, metadata: { ...copy.metadata, namespace: 'kube-system' } }],
    ['another name', { ...copy, metadata: { ...copy.metadata, name: 'other' } }],
    ['no marker', { ...copy, metadata: { ...copy.metadata, labels: {} } }],
    ['another source', syncer.translateMetadata({ metadata: { namespace: 'default', name: 'other' } })],
  ]
  for (const [what, object] of wrong) {
    await t.rejects(syncer.syncDownCreate(ctx, greeting, object), { code: 'NOT_A_COPY' }, what)
    await t.rejects(syncer.syncDownUpdate(ctx, greeting, object), { code: 'NOT_A_COPY' }, what)
  }
  t.strictSame(host.calls, [])
})

class Elsewhere extends ConfigMapSyncer {
  override virtualToHost = ({ name }: Key) => ({ namespace: 'elsewhere', name })
}

class Watched extends Elsewhere {
  override readonly hostNamespaces = ['elsewhere']
}

void t.test('no copy is created in a namespace that the syncer does not watch', async (t) => {
  const { host, ctx } = setUp()
  const unwatched = new Elsewhere(ctx, 'unwatched', configMaps)
  await t.rejects(unwatched.syncDown(ctx, greeting), {
    code: 'NOT_A_COPY',
    message:
      /unwatched cannot write elsewhere\/greeting .* does not watch the namespace elsewhere: .*hostNamespaces/,
  })
  t.strictSame(host.calls, [])
  await new Watched(ctx, 'watched', configMaps).syncDown(ctx, greeting)
  t.strictSame(host.calls, ['create'])
})

void t.test('deleting takes the very copy, once, and does not mind that it is gone', async (t) => {
  const { host, ctx, syncer } = setUp()
  const copy = stored(syncer.translateMetadata(greeting))
  await syncer.syncDownDelete(ctx, copy)
  t.strictSame(host.calls, ['delete greeting-x-default-x-vc host-uid@3'])
  host.failure = apiError(404, 'NotFound')
  await syncer.syncDownDelete(ctx, copy)
  await syncer.syncDownDelete(ctx, {
    ...copy,
    metadata: { ...copy.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  })
  t.equal(host.calls.length, 2, 'what is going already is not deleted again')
  host.failure = apiError(409, 'Conflict')
  await t.rejects(syncer.syncDownDelete(ctx, copy), { code: 409 })
})
