// Patches of CNPG-I plugins: applied by the patch library of the operator they give what the hook made.
import fc from 'fast-check'
import t from 'tap'
import { jobs } from '../sdk/cnpg/index.js'
import type { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { persistentVolumeClaims, services } from '../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../sdk/engine/kube/json.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { noClient } from './cnpg-process.js'
import { cluster, name, pod, served } from './cnpg-served.js'

const skip = noClient
const draftsPerKind = 150

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('', '~1', 'a/b', 'null'))
const key = fc.oneof(
  fc.constantFrom('cnpg.io/role', 'a~b', 'a~1b', '__proto__', 'constructor', '', '0', '-'),
  text,
)
const texts = fc.dictionary(key, text, { maxKeys: 4, noNullPrototype: true })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const some = <T extends Record<string, fc.Arbitrary<unknown>>>(members: T) =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true })
const named = <T extends Record<string, fc.Arbitrary<unknown>>>(members: T) =>
  fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'postgres'), some(members)), { maxLength: 4 })
    .map((all) => all.map(([name, rest]) => ({ name, ...rest })))

const containers = named({
  image: text,
  command: fc.array(text, { maxLength: 3 }),
  env: named({ value: text }),
  ports: fc.array(some({ containerPort: fc.integer(), protocol: fc.constantFrom('TCP', 'UDP') }), {
    maxLength: 3,
  }),
  resources: some({ limits: texts }),
  volumeMounts: named({ mountPath: text, readOnly: fc.boolean() }),
})
const podSpec = some({
  containers,
  initContainers: containers,
  volumes: named({ emptyDir: fc.constant({}), configMap: some({ name: text }) }),
  nodeSelector: texts,
  priority: fc.integer(),
  securityContext: some({ runAsUser: fc.maxSafeNat(), fsGroup: fc.constant(null) }),
})
const specs: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Pod: podSpec,
  Job: some({
    backoffLimit: fc.integer(),
    template: some({ metadata: some({ labels: texts }), spec: podSpec }),
  }),
  PersistentVolumeClaim: some({
    accessModes: fc.array(text, { maxLength: 3 }),
    resources: some({ requests: texts }),
    storageClassName: text,
  }),
  Service: some({
    ports: fc.array(some({ port: fc.integer(), targetPort: fc.oneof(text, fc.integer()) }), { maxLength: 4 }),
    selector: texts,
    sessionAffinityConfig: some({
      clientIP: some({ timeoutSeconds: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    }),
  }),
}

/** Two objects of one kind and name: before and after a hook. */
function drafts(kind: string): fc.Arbitrary<[KubeObject, KubeObject]> {
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'v1'
  const one = fc
    .record({
      labels: optional(texts),
      annotations: optional(texts),
      spec: optional(specs[kind] ?? fc.constant({})),
    })
    .map(({ labels, annotations, spec }): KubeObject => {
      const metadata = { namespace: 'default', name: 'db-1', labels, annotations }
      return JSON.parse(JSON.stringify({ apiVersion, kind, metadata, spec })) as KubeObject
    })
  return fc.tuple(one, one)
}

void t.test(
  'drafts of Pods, Jobs, PersistentVolumeClaims and Services',
  { skip, timeout: 180_000 },
  async (t) => {
    let wanted: KubeObject | undefined
    const client = await served(t, {}, (plugin: PluginRuntime) => {
      const hook = { create: () => wanted as never }
      plugin.pods(hook)
      plugin.objects(jobs, hook)
      plugin.objects(persistentVolumeClaims, hook)
      plugin.objects(services, hook)
    })
    for (const kind of Object.keys(specs)) {
      let changed = 0
      const property = fc.asyncProperty(drafts(kind), async ([object, draft]) => {
        wanted = draft
        const { error, result } = await client.ask('lifecycle', {
          verb: 'CREATE',
          cluster: cluster(),
          object,
        })
        if (error !== undefined) throw new Error(error)
        const made = (result as { object: unknown }).object
        if (!jsonEqual(object, draft)) changed++
        return jsonEqual(made, draft)
      })
      await t.resolves(fc.assert(property, { numRuns: draftsPerKind }), kind)
      t.ok(
        changed > draftsPerKind / 2,
        `${changed} of ${draftsPerKind} drafts of ${kind} differ from the object`,
      )
    }
  },
)

const mebibyte = 2 ** 20
const large = (size: number) => cluster({}, { status: { phaseReason: 'x'.repeat(size) } })

void t.test(
  'Clusters of 4 and 16 MiB work; larger ones fail with a sentence',
  { skip, timeout: 180_000 },
  async (t) => {
    const client = await served(t, {}, (plugin: PluginRuntime) =>
      plugin.pods({
        create(ctx, draft) {
          draft.metadata.labels = { size: String(ctx.cluster.status?.phaseReason?.length) }
        },
      }),
    )
    const ask = (size: number) =>
      client.ask('lifecycle', { verb: 'CREATE', cluster: large(size), object: pod })
    for (const size of [4 * mebibyte, 16 * mebibyte])
      t.match((await ask(size)).result, { object: { metadata: { labels: { size: String(size) } } } })
    t.match((await ask(33 * mebibyte)).error, /the message has \d+ bytes, and at most 33554432 are received/)
    t.notOk((await ask(1)).error, 'the connection goes on')
  },
)

void t.test('an answer that the operator cannot take is a sentence', { skip }, async (t) => {
  const client = await served(t, {}, (plugin: PluginRuntime) =>
    plugin.pods({
      create(_ctx, draft) {
        draft.metadata.annotations = { text: 'x'.repeat(5 * mebibyte) }
      },
    }),
  )
  const { error } = await client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object: pod })
  t.match(
    error,
    `plugin ${name} answers /cnpgi.operator_lifecycle.v1.OperatorLifecycle/LifecycleHook with 5.0 MiB`,
  )
})
