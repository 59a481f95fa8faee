import type { Secret } from '../../engine/kube/builtin.js'
import { parseJson, stringifyJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { OwnerReference } from '../../engine/kube/object.js'
import { decodeRelease } from './encode-release.js'
import type { RecordBudget } from './record-budget.js'
import type { Release } from './release.js'
import { UnreadableReleaseError, unreadableSecret } from './unreadable-release.js'

/** The type of the Secrets of releases. */
export const releaseSecretType = 'helm.sh/release.v1'
/** The label with the UID of the custom resource of a release; helm copies labels to its own revisions. */
export const ownerLabel = 'vcluster-plugin-sdk/owner'
/** The label of a revision that brings another one back: `v3-to-1`. Helm drops annotations, and keeps labels. */
const rollbackLabel = 'vcluster-plugin-sdk/rollback'
/** The annotation with the progress of a revision. Helm drops annotations, so without it another program wrote last. */
export const writtenAnnotation = 'vcluster-plugin-sdk/written'
/** The annotation with the state of the custom resource for which a revision of another program is held. */
const heldAnnotation = 'vcluster-plugin-sdk/held'

/** The progress of a revision that this SDK writes. */
export interface RevisionProgress {
  /** A hash of the values, the chart, the name and the capabilities. */
  readonly inputs: string
  /** The step that is being done. */
  readonly stage: string
  /** How often these inputs were tried, from 1 on. */
  readonly attempt: number
  /** The process that writes. */
  readonly holder: string
  /** The time when the step began, by RFC 3339; undefined for the first step. */
  readonly since?: string
  /** The text of the annotation `retry` when the inputs were tried. */
  readonly retry?: string
  /** The operation that made the revision; undefined in records of earlier versions of this SDK. */
  readonly kind?: string
  /** The revision that a rollback brings back; undefined for other operations. */
  readonly to?: number
  /** Inputs that failed, and that the release was rolled back or uninstalled for. */
  readonly failed?: FailedInputs
  /** Digests of the objects that existed before the operation, which a failure of it does not delete. */
  readonly existing?: readonly string[]
  /** Whether there were objects of the release that no record has: another program deleted the record. */
  readonly isReinstall?: boolean
  /** The lookups of own objects that found nothing when the revision was rendered. */
  readonly absent?: readonly string[]
  /** The text of the annotation `renew` when the revision was made. */
  readonly renew?: string
}

/** Inputs that failed. They are left alone for a while. */
export interface FailedInputs {
  /** The revision that they failed at; charts can depend on its number. */
  readonly version: number
  readonly inputs: string
  /** The text of the annotation `retry` at that time. */
  readonly retry?: string
  /** The time by RFC 3339. */
  readonly at: string
  readonly message: string
  /** The revision whose objects are brought back; 0 if the objects are deleted. */
  readonly to: number
}

/** A revision with what its Secret has in addition. */
export interface StoredRelease {
  readonly release: Release
  /** Labels of users. */
  readonly labels: Readonly<Record<string, string>>
  /** The UID of the custom resource; undefined for releases of other programs. */
  readonly owner?: string | undefined
  /** Undefined if another program wrote last. */
  readonly written?: RevisionProgress | undefined
  /** The state of the custom resource for which a revision of another program is held. */
  readonly held?: string | undefined
  readonly ownerReferences?: readonly OwnerReference[] | undefined
  /** The Secret of this revision without its data, if it was read or written. */
  readonly secret?: Secret | undefined
}

/**
 * The revision that this one brings back; undefined for any other revision. Helm copies labels to the revisions that it
 * makes, so the label names its revision too.
 */
export function rolledBackTo({ release, written, secret }: StoredRelease): number | undefined {
  if (written) return written.to
  const [, version, to] = /^v(\d+)-to-(\d+)$/.exec(secret?.metadata.labels?.[rollbackLabel] ?? '') ?? []
  return Number(version) === release.version ? Number(to) : undefined
}

const helmLabels = ['name', 'owner', 'status', 'version', 'createdAt', 'modifiedAt']

/** The name of the Secret of a revision. */
export function secretName({ name, version }: Pick<Release, 'name' | 'version'>): string {
  return `sh.helm.release.v1.${name}.v${version}`
}

/** Whether a Secret is a record of a release, by its type and its name, as Helm names records. */
export function isRecordOf(release: string, secret: Secret): boolean {
  return secret.type === releaseSecretType && hasNameOfRecord(release, secret)
}

/** Whether an object has the name of a record of a release. */
export function hasNameOfRecord(
  release: string,
  { metadata: { name = '' } }: Pick<Secret, 'metadata'>,
): boolean {
  const begin = `sh.helm.release.v1.${release}.v`
  return name.startsWith(begin) && /^[1-9]\d*$/.test(name.slice(begin.length))
}

/** The release that a Secret is a record of, by its type and its name; undefined if it is none. */
export function releaseOfRecord(secret: Secret): string | undefined {
  const [, name] = /^sh\.helm\.release\.v1\.(.+)\.v[1-9]\d*$/.exec(secret.metadata.name ?? '') ?? []
  return name !== undefined && isRecordOf(name, secret) ? name : undefined
}

/**
 * Whether another program wrote a record last, or deleted the record of a deployed revision. It needs the metadata
 * alone.
 */
export function isRecordByOther(
  { metadata }: Pick<Secret, 'metadata'>,
  type: 'applied' | 'deleted',
): boolean {
  if (metadata.annotations?.[writtenAnnotation] === undefined) return true
  return type === 'deleted' && metadata.labels?.status === 'deployed'
}

/**
 * The Secret that stores a revision; `text` is the encoded release. One that was read keeps its name: users may have
 * edited the content.
 */
export function releaseSecret(stored: StoredRelease, text: string, nowMs: number): Secret {
  const { release, secret, written, ownerReferences = secret?.metadata.ownerReferences } = stored
  const annotations = { ...secret?.metadata.annotations }
  delete annotations[writtenAnnotation]
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: releaseSecretType,
    metadata: {
      name: secret?.metadata.name ?? secretName(release),
      namespace: secret?.metadata.namespace ?? release.namespace,
      ...(secret?.metadata.resourceVersion && { resourceVersion: secret.metadata.resourceVersion }),
      labels: labelsOf(stored, nowMs),
      annotations: { ...annotations, ...(written && { [writtenAnnotation]: stringifyJson(written) }) },
      ...(ownerReferences && { ownerReferences: [...ownerReferences] }),
    },
    data: { release: Buffer.from(text).toString('base64') },
  }
}

/** The Secret of a revision that is held for a state of the custom resource. */
export function heldSecret(secret: Secret, held: string): Secret {
  const { metadata } = secret
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [heldAnnotation]: held } },
  }
}

/** The labels of a record. As in Helm, the first update replaces the time of creation by the time of the update. */
function labelsOf(stored: StoredRelease, nowMs: number): Record<string, string> {
  const { release, labels, owner, secret } = stored
  const seconds = String(Math.floor(nowMs / 1000))
  const to = rolledBackTo(stored)
  return {
    ...labels,
    ...(owner !== undefined && { [ownerLabel]: owner }),
    ...(to !== undefined && { [rollbackLabel]: `v${release.version}-to-${to}` }),
    owner: 'helm',
    name: release.name,
    status: release.info.status,
    version: String(release.version),
    ...(secret ? { modifiedAt: seconds } : { createdAt: seconds }),
  }
}

/**
 * Reads the Secret of a revision. Rejects with `UnreadableReleaseError` that names the Secret, and with
 * `TooManyRecordsError`.
 */
export async function storedReleaseOf(secret: Secret, budget?: RecordBudget): Promise<StoredRelease> {
  const { name, namespace } = secret.metadata
  try {
    const text = Buffer.from(secret.data?.release ?? '', 'base64').toString('latin1')
    return storedIn(secret, await decodeRelease(text, budget))
  } catch (error) {
    if (!(error instanceof UnreadableReleaseError)) throw error
    throw unreadableSecret(`${namespace}/${name}`, error)
  }
}

/** A revision, by the metadata of its Secret and the release in it. */
export function storedIn({ apiVersion, kind, type, metadata }: Secret, release: Release): StoredRelease {
  const { labels = {}, annotations = {}, namespace, ownerReferences } = metadata
  return {
    release: { ...release, namespace: release.namespace || (namespace ?? '') },
    labels: Object.fromEntries(Object.entries(labels).filter(([key]) => isUserLabel(key))),
    owner: labels[ownerLabel],
    written: readProgress(annotations[writtenAnnotation]),
    held: annotations[heldAnnotation],
    ownerReferences,
    secret: { ...(apiVersion && { apiVersion }), ...(kind && { kind }), ...(type && { type }), metadata },
  }
}

const isUserLabel = (key: string) => ![ownerLabel, rollbackLabel, ...helmLabels].includes(key)

/** The progress in an annotation; undefined if another program wrote the annotation in another form. */
function readProgress(text: string | undefined): RevisionProgress | undefined {
  const read = parseOrUndefined(text)
  if (!isJsonObject(read)) return undefined
  const { inputs, stage, attempt, holder } = read
  const isText = [inputs, stage, holder].every((field) => typeof field === 'string')
  return isText && typeof attempt === 'number' ? (read as unknown as RevisionProgress) : undefined
}

function parseOrUndefined(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
