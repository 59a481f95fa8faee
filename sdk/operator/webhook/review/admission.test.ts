import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { applyJsonPatch } from '../../../../apiserver/patch/json-patch.js'
import { type ConfigMap, configMaps, leases, pods } from '../../../engine/kube/builtin.js'
import { jsonEqual, parseJson, stringifyJson } from '../../../engine/kube/json.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import {
  type AdmissionAnswer,
  readAdmissionReview,
  writeAdmissionReview,
} from '../../../engine/webhook/review/admission-review.js'
import { defineKind } from '../../kind/define/define-kind.js'
import { type Admission, admission } from '../admission.js'
import { caches } from '../caches.fixture.js'
import { type AdmissionEnvironment, answerDefault, answerValidate } from './admit.js'
import { objectPatch } from './object-patch.js'

const cacheWebhook: Admission = admission(caches)
const known: KubeObject = { metadata: { name: 'known' } }
const environment: AdmissionEnvironment = {
  store: () => ({ get: ({ name }) => (name === 'known' ? (known as never) : undefined), in: () => [] }),
}
const metadata = { name: 'a', namespace: 'default', uid: 'u' }
const cache = (spec: object, more: object = {}) => ({
  apiVersion: 'cache.my.domain/v1',
  kind: 'Cache',
  metadata,
  spec: { replicas: 1, store: { memory: {} }, ...spec },
  ...more,
})
const review = (request: object) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: '7',
    kind: { group: 'cache.my.domain', version: 'v1', kind: 'Cache' },
    operation: 'CREATE',
    name: 'a',
    namespace: 'default',
    userInfo: { username: 'jane', groups: ['blue', 'system:authenticated'] },
    ...request,
  },
})
const defaulted = (request: object, webhook = cacheWebhook) =>
  answerDefault(webhook, readAdmissionReview(review(request)))
const validated = (request: object, webhook = cacheWebhook) =>
  answerValidate(webhook, readAdmissionReview(review(request)), environment)
const applied = (object: unknown, { patch = [] }: AdmissionAnswer): unknown =>
  applyJsonPatch(object, patch as never)

void t.test('the changes of default become a patch of the raw object, unknown fields stay', async (t) => {
  const raw = cache({ newer: { big: 2n ** 60n } }, { extra: 1, status: { nodes: 'odd' } })
  const answer = defaulted({ object: raw })
  t.same(answer.patch, [{ op: 'add', path: '/metadata/labels', value: { team: 'blue' } }])
  t.same(applied(raw, answer), { ...raw, metadata: { ...metadata, labels: { team: 'blue' } } })
})

void t.test('an object that is nested deeper than the call stack is answered like any other', async (t) => {
  const deep = parseJson('['.repeat(9_000) + ']'.repeat(9_000))
  const open = defineKind({
    group: 'cache.my.domain',
    version: 'v1',
    kind: 'Cache',
    spec: z.object({ any: z.unknown() }),
    default: (_, object) => ({ ...object, metadata: { ...object.metadata, labels: { team: 'blue' } } }),
    validate: () => [{ path: 'spec.any', message: 'must not exist' }],
  })
  const request = { object: { ...cache({}), spec: { any: deep } } }
  t.match(defaulted(request, admission(open)).patch, [{ path: '/metadata/labels' }])
  t.match(validated(request, admission(open)), { allowed: false, status: { message: /must not exist/ } })
})

void t.test(
  'a default that rebuilds the spec does not remove fields that the schema does not have',
  async (t) => {
    const webhook = admission(caches, {
      default: (_ctx, { metadata, spec: { replicas, store } }) => ({
        apiVersion: 'cache.my.domain/v1',
        kind: 'Cache' as const,
        metadata,
        spec: { replicas: replicas + 1, store },
      }),
    })
    const answer = defaulted({ object: cache({ newer: 1, tier: 'small' }, { extra: 1 }) }, webhook)
    t.same(answer.patch, [
      { op: 'replace', path: '/spec/replicas', value: 2 },
      { op: 'remove', path: '/spec/tier' },
    ])
  },
)

void t.test('the webhooks of a kind may be methods of a class', async (t) => {
  class Limits {
    readonly #max = 3
    default(_ctx: unknown, map: ConfigMap): ConfigMap {
      return { ...map, data: { max: String(this.#max) } }
    }
    validate(_ctx: unknown, { data = {} }: ConfigMap) {
      return Number(data.size) > this.#max ? [{ path: 'data.size', message: `is over ${this.#max}` }] : []
    }
  }
  const webhook = admission(configMaps, new Limits()) as unknown as Admission
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { size: '4' } }
  const request = { kind: { group: '', version: 'v1', kind: 'ConfigMap' }, object }
  t.match(validated(request, webhook), { allowed: false, status: { message: /is over 3/ } })
  t.match(applied(object, defaulted(request, webhook)), { data: { max: '3' } })
})

void t.test('an answer of default or validate with another type is an error', async (t) => {
  const webhook = admission(caches, { default: () => undefined as never, validate: () => undefined as never })
  t.throws(() => defaulted({ object: cache({}) }, webhook), {
    message: /^default of .* returned undefined; /,
  })
  t.throws(() => validated({ object: cache({}) }, webhook), {
    message: /^validate of .* returned undefined; /,
  })
})

void t.test('default leaves objects to the API server that do not fit, and other operations', async (t) => {
  t.same(defaulted({ object: cache({ replicas: 'x' }) }), { allowed: true })
  t.same(defaulted({ operation: 'DELETE', object: null, oldObject: cache({}) }), { allowed: true })
  t.same(defaulted({ operation: 'UPDATE', object: cache({ replicas: 99 }) }).patch?.length, 1)
})

void t.test('all problems are answered as 422 Invalid with field paths', async (t) => {
  const { allowed, status } = validated({
    operation: 'UPDATE',
    object: cache({ replicas: 1, peers: ['x', 'known', 'y'] }),
    oldObject: cache({ replicas: 2 }),
  })
  t.equal(allowed, false)
  t.same(status, {
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message:
      'Cache.cache.my.domain "a" is invalid: [spec.replicas: must not shrink, spec.peers[0]: does not exist, spec.peers[2]: does not exist]',
    details: {
      name: 'a',
      group: 'cache.my.domain',
      kind: 'Cache',
      causes: [
        { reason: 'FieldValueInvalid', message: 'must not shrink', field: 'spec.replicas' },
        { reason: 'FieldValueInvalid', message: 'does not exist', field: 'spec.peers[0]' },
        { reason: 'FieldValueInvalid', message: 'does not exist', field: 'spec.peers[2]' },
      ],
    },
  })
})

void t.test('an object without a name yet is called by its generateName', async (t) => {
  const object = { ...cache({ peers: ['x'] }), metadata: { generateName: 'a-' } }
  t.match(validated({ name: '', object }).status, {
    message: /"a-" is invalid: spec/,
    details: { name: 'a-' },
  })
})

void t.test('a new object that does not fit is denied; an old one may keep its values', async (t) => {
  const wrong = cache({ replicas: 99 })
  t.match(validated({ object: wrong }).status?.details?.causes, [{ field: 'spec.replicas' }])
  t.equal(validated({ operation: 'UPDATE', object: wrong, oldObject: cache({}) }).allowed, false)
  t.match(validated({ operation: 'UPDATE', object: wrong, oldObject: wrong }), {
    allowed: true,
    warnings: [/slow/],
  })
})

void t.test('a deletion is validated with the object that would go', async (t) => {
  const kept = { ...cache({}), metadata: { ...metadata, labels: { keep: 'true' } } }
  t.equal(validated({ operation: 'DELETE', object: null, oldObject: cache({}) }).allowed, true)
  t.match(validated({ operation: 'DELETE', object: null, oldObject: kept }).status, { reason: 'Invalid' })
  t.throws(() => validated({ operation: 'DELETE', object: null }), /has no object/)
  t.same(validated({ operation: 'CONNECT' }), { allowed: true })
})

void t.test('`default` and `validate` get the user, and whether it is a dry run', async (t) => {
  const seen: unknown[] = []
  const webhook = admission(configMaps, {
    default(ctx, object) {
      seen.push([ctx.operation, ctx.user, ctx.dryRun])
      return object
    },
    validate(ctx, object) {
      seen.push([ctx.operation, ctx.user, ctx.dryRun, Object.isFrozen(object.data)])
      return []
    },
  })
  const request = {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    dryRun: true,
    object: { metadata, data: {} },
  }
  defaulted(request, webhook)
  validated(request, webhook)
  const jane = { name: 'jane', groups: ['blue', 'system:authenticated'] }
  t.same(seen, [
    ['CREATE', jane, true],
    ['CREATE', jane, true, true],
  ])
})

void t.test('an AdmissionReview is read strictly and answered with its uid', async (t) => {
  for (const body of [
    null,
    [],
    {},
    { ...review({}), apiVersion: 'admission.k8s.io/v1beta1' },
    review({ uid: '' }),
  ])
    t.throws(() => readAdmissionReview(body), { name: 'ReviewError', status: 400 })
  t.throws(() => validated({ kind: { group: '', version: 'v1', kind: 'Pod' }, object: cache({}) }), {
    status: 400,
    message: 'this path is for Cache.v1.cache.my.domain, got Pod.v1.',
  })
  const patch = [{ op: 'add', path: '/a', value: 2n ** 60n }] as const
  const { response } = writeAdmissionReview('7', {
    allowed: true,
    patch,
    warnings: ['é'.repeat(257), 'short'],
  })
  t.match(response, { uid: '7', allowed: true, patchType: 'JSONPatch' })
  t.same(parseJson(Buffer.from(response.patch ?? '', 'base64')), patch)
  t.same(
    response.warnings?.map((warning) => warning.length),
    [256, 5],
  )
  t.same(writeAdmissionReview('7', { allowed: true, patch: [] }).response, { uid: '7', allowed: true })
})

void t.test('kinds that the API server and the operator need are refused', async (t) => {
  const reviews = { ...leases, group: 'authentication.k8s.io', plural: 'tokenreviews' }
  const configurations = {
    ...leases,
    group: 'admissionregistration.k8s.io',
    plural: 'validatingwebhookconfigurations',
  }
  for (const resource of [leases, reviews, configurations, { ...pods, plural: '*' }])
    t.throws(() => admission(resource as typeof leases), { code: 'INVALID_WEBHOOK' })
  t.ok(admission(pods))
})

const text = fc.string({ maxLength: 4 })

void t.test('a patch makes one object of another, whatever they are', async (_t) => {
  const value = fc.dictionary(
    fc.oneof(text, fc.constantFrom('a/b', 'm~n', '__proto__', 'metadata', 'spec')),
    fc.jsonValue({ maxDepth: 3 }),
  )
  fc.assert(
    fc.property(value, value, (from, to) => {
      const [a, b] = [from, to].map((one) => parseJson(stringifyJson(one)) as object)
      return jsonEqual(applyJsonPatch(a, objectPatch(a as never, b as never) as never), b)
    }),
    { numRuns: 1000 },
  )
})

void t.test('default and validate answer the same when they are called twice', async (t) => {
  const spec = fc.record(
    {
      replicas: fc.integer({ min: 1, max: 50 }),
      tier: fc.constantFrom('small', 'large'),
      peers: fc.array(fc.constantFrom('known', 'x'), { maxLength: 3 }),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const labels = fc.option(fc.dictionary(text, text), { nil: undefined })
  fc.assert(
    fc.property(spec, labels, (spec, labels) => {
      const raw = parseJson(stringifyJson({ ...cache(spec), metadata: { ...metadata, labels } })) as object
      const once = applied(raw, defaulted({ object: raw })) as object
      t.same(defaulted({ object: once }).patch, [])
      t.same(validated({ object: once }), validated({ object: once }))
      t.equal(validated({ object: once }).allowed, validated({ object: raw }).allowed)
    }),
    { numRuns: 200 },
  )
})

void t.test('the handlers of a kind of others are typed by it', async (t) => {
  const webhook = admission(configMaps, { validate: (_ctx, map: ConfigMap) => (map.data ? [] : []) })
  t.equal(webhook.resource, configMaps)
})
