import { join } from 'node:path'
import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { isHandled } from './handled.js'
import { applySamples, readHostSamples, readSamples } from './samples.js'

void t.test('samples come from samples.yaml, and an error names an invalid one', async (t) => {
  const object = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }'
  const dir = t.testdir({
    own: { 'samples.yaml': `---\n${object}\n---\n# nothing\n---\n${object}\n` },
    none: {},
    host: { 'host-samples.yaml': object },
    broken: { 'samples.yaml': 'a: [1\n' },
    nameless: { 'samples.yaml': `${object}\n---\nkind: ConfigMap\n` },
  })
  t.equal((await readSamples(join(dir, 'own'))).length, 2)
  t.ok((await readSamples(join(dir, 'none'))).length > 1)
  t.same(await readHostSamples(join(dir, 'own')), [])
  t.equal((await readHostSamples(join(dir, 'host'))).length, 1)
  await t.rejects(readSamples(join(dir, 'broken')), {
    code: 'INVALID_MANIFEST',
    message: /samples\.yaml: .* line 2/,
  })
  await t.rejects(readSamples(join(dir, 'nameless')), {
    code: 'INVALID_MANIFEST',
    message:
      /nameless.samples\.yaml: ConfigMap, object 2 of the file, has no apiVersion and no metadata\.name; write them$/,
  })
})

void t.test('a given file replaces samples.yaml and must exist', async (t) => {
  const object = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }'
  const dir = t.testdir({ 'samples.yaml': `${object}\n---\n${object}`, 'seed.yaml': object })
  t.equal((await readSamples(dir, join(dir, 'seed.yaml'))).length, 1)
  await t.rejects(readSamples(dir, join(dir, 'none.yaml')), {
    code: 'INVALID_MANIFEST',
    message: /^cannot apply .*: it does not exist; correct the path of --samples$/,
  })
})

void t.test('a misspelt field of a sample is an error that says so', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const cluster = { side: 'virtual', name: 'main', client: createClient({ transport }), transport } as const
  const object = (kind: string, spec: object): KubeObject => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    ...spec,
  })
  const selector = { matchLabels: { app: 'web' } }
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web' }] },
  }
  const deployment = (replicas: object) => object('Deployment', { spec: { selector, template, ...replicas } })
  const unknownField = {
    code: 'INVALID_MANIFEST',
    message:
      /^cannot apply samples\.yaml: Deployment default\/web: .*unknown field "spec\.replcas"; correct its name, or remove it$/,
  }
  await t.rejects(applySamples([deployment({ replcas: 2 })], cluster), unknownField)
  const refused = (replicas: unknown, message: RegExp) =>
    t.rejects(applySamples([deployment({ replicas })], cluster), { message })
  await refused(
    -1,
    /Deployment default\/web: spec\.replicas must be at least 0, got -1; write a value that fits$/,
  )
  await refused(
    'two',
    /spec\.replicas must be a whole number, got a string; write it without quotes, if it has them$/,
  )
  const forbidden = new ApiError({ kind: 'Status', code: 403, message: 'deployments is forbidden' })
  const client = { ...cluster.client, create: () => Promise.reject(forbidden) } as never
  await t.rejects(applySamples([deployment({})], { ...cluster, client }), {
    message: /Deployment default\/web: deployments is forbidden$/,
  })
  t.equal((await applySamples([deployment({ replicas: 2 })], cluster)).length, 1)
  await t.rejects(applySamples([deployment({ replcas: 3 })], cluster), unknownField, 'of an existing one too')
})

void t.test(
  'an object is handled when it is ready, or has a condition that says more than work or trouble',
  (t) => {
    const object = (...conditions: readonly (readonly [type: string, status: string])[]) => ({
      metadata: {},
      status: { conditions: conditions.map(([type, status]) => ({ type, status })) },
    })
    t.equal(isHandled(object(['Progressing', 'True'])), false)
    t.equal(isHandled(object(['Initialized', 'True'], ['Irreconcilable', 'True'])), true)
    t.equal(isHandled(object(['Irreconcilable', 'True'])), false)
    t.equal(isHandled(object(['Ready', 'False'], ['Initialized', 'True'])), false)
    t.equal(isHandled(object(['Deployed', 'True'])), true)
    t.equal(isHandled({ metadata: {} }), false)
    t.end()
  },
)
