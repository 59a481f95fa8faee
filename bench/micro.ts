// Measures each step of an event's way through the SDK, in microseconds and bytes per object: `npm run
// bench:micro`. It locates a regression that `npm run bench` shows. Each figure is the minimum of several
// rounds, after a warm-up.
import { ConfigMapSyncer } from '../examples/sync-all-configmaps/configmap-syncer.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { type ConfigMap, configMaps } from '../sdk/engine/kube/builtin.js'
import { freezeJson, jsonEqual, parseJson, stringifyJson } from '../sdk/engine/kube/json.js'
import { keyOf } from '../sdk/engine/kube/key.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { noMetrics } from '../sdk/engine/observe/metrics.js'
import { WorkQueue } from '../sdk/engine/queue/work-queue.js'
import { StoreWriter } from '../sdk/engine/store/store-writer.js'
import { systemClock } from '../sdk/engine/time/clock.js'
import type { Transport } from '../sdk/engine/transport/transport.js'
import { LineSplitter } from '../sdk/engine/watch/line-splitter.js'
import { dropManagedFields } from '../sdk/engine/watch/managed-fields.js'
import type { RegisterContext } from '../sdk/vcluster/context/register-context.js'

const objectCount = 2000
const roundCount = 7
const payload = 'x'.repeat(Number(process.argv[2] ?? 1024))

const managedFields = [
  {
    manager: 'kubectl-client-side-apply',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-31T12:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { '.': {}, 'f:payload': {}, 'f:source': {}, 'f:version': {} } },
  },
]

function original(at: number): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `cm-${at}`,
      namespace: `bench-${at % 10}`,
      uid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      resourceVersion: String(at + 1),
      creationTimestamp: '2026-01-31T12:00:00Z',
      labels: { app: 'bench', tier: 'data' },
      managedFields,
    },
    data: { payload, source: `bench-${at % 10}/cm-${at}`, version: String(at) },
  }
}

const originals = Array.from({ length: objectCount }, (_, at) => original(at))
const lines = originals.map((object) => Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`))
const stream = Buffer.concat(lines)
const parsed = () => originals.map((object) => parseJson(JSON.stringify(object)) as ConfigMap)

/** The parts of the context that the translator uses. */
const ctx = {
  vclusterName: 'vc',
  targetNamespace: 'vcluster-vc',
  labelMode: 'reserved',
  owner: () => undefined,
  metrics: noMetrics,
  logger: silentLogger,
  clock: systemClock,
} as unknown as RegisterContext
const syncer = new ConfigMapSyncer(ctx)
const copies = originals.map((virtual) => syncer.translateMetadata(virtual))
const answers = copies.map((copy) => Buffer.from(JSON.stringify({ ...copy, kind: 'ConfigMap' })))

/** Answers each write at once with the written object. */
const echo: Transport = {
  request: async ({ body }) => ({ status: 201, headers: {}, body: Buffer.from(String(body)) }),
  stream: () => Promise.reject(new Error('unexpected watch')),
  close: async () => {},
}
const client = createClient({ transport: echo })

/** A step; its preparation is not measured. */
interface Step {
  readonly name: string
  readonly ready?: () => readonly ConfigMap[]
  readonly run: (objects: readonly ConfigMap[]) => unknown
}

const steps: readonly Step[] = [
  { name: 'split the stream into lines', run: () => chunked((chunk, splitter) => splitter.push(chunk)) },
  { name: 'decode a watch event', run: () => lines.map((line) => parseJson(line)) },
  { name: 'drop managedFields', ready: parsed, run: (objects) => objects.map(dropManagedFields) },
  { name: 'put into a store', ready: parsed, run: fillStore },
  { name: 'freeze', ready: parsed, run: (objects) => objects.map((object) => freezeJson(object)) },
  { name: 'queue: add, take, done', run: enqueueAndServe },
  { name: 'translate: a new copy', run: () => originals.map((virtual) => syncer.translateMetadata(virtual)) },
  {
    name: 'compare: a copy that is up to date',
    run: () => originals.map((virtual, at) => syncer.translateUpdate(copyAt(at), virtual)),
  },
  { name: 'compare two objects as JSON', ready: parsed, run: compareAll },
  { name: 'serialise', run: () => copies.map((copy) => stringifyJson(copy)) },
  { name: 'read the response to a write', run: () => answers.map((answer) => parseJson(answer)) },
  { name: 'write, without the network', run: writeAll },
]

function copyAt(at: number): ConfigMap {
  const copy = copies[at]
  if (!copy) throw new Error(`there is no copy ${at}`)
  return copy
}

/** The stream of an API server: chunks of several lines, cut at any byte. */
function chunked(each: (chunk: Uint8Array, splitter: LineSplitter) => unknown): unknown[] {
  const splitter = new LineSplitter(1 << 26)
  const kept: unknown[] = []
  for (let at = 0; at < stream.length; at += 16_384)
    kept.push(each(stream.subarray(at, at + 16_384), splitter))
  return kept
}

function fillStore(objects: readonly ConfigMap[]): StoreWriter<ConfigMap> {
  const writer = new StoreWriter<ConfigMap>()
  for (const object of objects) writer.apply({ type: 'applied', object })
  return writer
}

async function enqueueAndServe(): Promise<void> {
  const queue = new WorkQueue()
  for (const object of originals) queue.add(keyOf(object))
  for (let left = objectCount; left > 0; left--) {
    const key = await queue.next()
    if (key) queue.done(key)
  }
  queue.close()
}

function compareAll(objects: readonly ConfigMap[]): boolean[] {
  return objects.map((object, at) => jsonEqual(object, originals[at]))
}

async function writeAll(): Promise<void> {
  for (const copy of copies) await client.create(configMaps, copy)
}

/** Microseconds per object, and bytes on the heap that the result holds. */
async function measure({ ready, run }: Step): Promise<{ us: number; bytes: number }> {
  const objects = ready?.() ?? originals
  globalThis.gc?.()
  const heldBefore = process.memoryUsage().heapUsed
  const started = performance.now()
  const result = await run(objects)
  const us = ((performance.now() - started) * 1000) / objectCount
  globalThis.gc?.()
  const bytes = (process.memoryUsage().heapUsed - heldBefore) / objectCount
  // The result is used here so that it is not collected before it is measured.
  return { us, bytes: result === stream ? 0 : Math.max(0, bytes) }
}

console.log(
  `${payload.length} bytes of data, ${Math.round(stream.length / objectCount)} bytes per watch event`,
)
console.log(`${'step'.padEnd(32)}${'µs'.padStart(9)}${'bytes held'.padStart(12)}`)
for (const step of steps) {
  const rounds = []
  for (let round = 0; round <= roundCount; round++) rounds.push(await measure(step))
  const us = Math.min(...rounds.map((each) => each.us))
  const bytes = Math.min(...rounds.slice(1).map((each) => each.bytes))
  console.log(`${step.name.padEnd(32)}${us.toFixed(2).padStart(9)}${bytes.toFixed(0).padStart(12)}`)
}
