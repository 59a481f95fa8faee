import escapeRegExp from 'lodash/escapeRegExp.js'
import { canonicalJson } from '../../sdk/engine/kube/canonical-json.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ObjectTexts } from '../compare/state-differences.js'
import { isEventOrLease } from '../recorder/recorded-write.js'
import type { RequestRecorder } from '../recorder/request-recorder.js'
import type { RunTimes } from '../recorder/run-times.js'

const metadataThatDiffers = [
  'managedFields',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'selfLink',
  'uid',
]

type Readable = Pick<RequestRecorder, 'collections' | 'list' | 'times'>

/**
 * The objects of all clusters at the end of a run, of every kind that was written, without parts that may
 * differ between runs. UIDs and Service addresses are replaced by the names of their objects, so that a
 * reference to a deleted object is detected. Certificates, and the times of the run in a status, are masked.
 */
export async function endStateOf(recorder: Readable): Promise<ObjectTexts> {
  const objects = new Map<string, KubeObject>()
  for (const [cluster, collections] of Object.entries(recorder.collections)) {
    for (const collection of collections)
      for (const object of await listObjects(recorder, cluster, collection))
        objects.set(nameOf(cluster, collection, object), object)
  }
  const generated = [...objects].flatMap(([name, object]) => generatedValues(name, object))
  const state = [...objects].map(([name, object]): [string, string] => [
    name,
    maskedText(withMaskedStatus(object, recorder.times), generated),
  ])
  return new Map(state.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function listObjects(recorder: Readable, cluster: string, collection: string): Promise<KubeObject[]> {
  return isEventOrLease(pluralOf(collection)) ? [] : recorder.list(cluster, collection)
}

const pluralOf = (collection: string) => collection.slice(collection.lastIndexOf('/') + 1)

function nameOf(cluster: string, collection: string, { metadata }: KubeObject): string {
  const name = [metadata.namespace, metadata.name].filter(Boolean).join('/')
  return `${cluster} ${pluralOf(collection)} ${name}`
}

/** A value that an API server generated for an object. */
interface GeneratedValue {
  readonly text: string
  /** Finds the value in a text; default where the text has it. */
  readonly pattern?: RegExp
  readonly placeholder: string
}

function generatedValues(name: string, object: KubeObject): GeneratedValue[] {
  const { clusterIP = '' } = ('spec' in object ? object.spec : {}) as { clusterIP?: string }
  const uid = { text: object.metadata.uid ?? '', placeholder: `<uid of ${name}>` }
  if (!clusterIP.includes('.')) return [uid]
  // The address 10.96.0.2 is not in 10.96.0.23.
  const pattern = new RegExp(`(?<!\\d)${escapeRegExp(clusterIP)}(?!\\d)`, 'g')
  return [uid, { text: clusterIP, pattern, placeholder: `<address of ${name}>` }]
}

/**
 * Masks the times of the run in a status, which may record when the program did something. Times elsewhere stay,
 * because they reveal unnecessary writes.
 */
function withMaskedStatus(object: KubeObject, times: RunTimes): KubeObject {
  const { status } = object as { status?: unknown }
  if (status === undefined) return object
  return { ...object, status: parseJson(times.mask(canonicalJson(status))) } as KubeObject
}

function maskedText(object: KubeObject, generated: readonly GeneratedValue[]): string {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !metadataThatDiffers.includes(field)),
  )
  const isDeleting = metadata.deletionTimestamp !== undefined
  const fullState = {
    ...object,
    metadata: { ...metadata, ...(isDeleting && { deletionTimestamp: 'some time' }) },
  }
  let json = canonicalJson(fullState)
  for (const { text, pattern = text, placeholder } of generated)
    if (text !== '' && json.includes(text)) json = json.replaceAll(pattern, placeholder)
  json = json.replaceAll(/"lastTransitionTime":"[^"]*"/g, '"lastTransitionTime":"some time"')
  return json.replaceAll(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----(\\n)?/g, '<certificate>')
}
