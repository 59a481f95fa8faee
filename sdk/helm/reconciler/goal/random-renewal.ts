import { X509Certificate } from 'node:crypto'
import { secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Release } from '../../release/release.js'
import type { StoredRelease } from '../../release/stored-release.js'
import type { RenderedObject } from '../../render/renderer.js'
import type { ReleaseRun } from '../run/release-run.js'
import type { RandomLeaf } from './graft.js'

/** Decides whether a random field (a leaf) gets a new value instead of the recorded one. */
export type Renews = (leaf: RandomLeaf) => boolean

/** The possible reasons to draw random values again. */
export interface RenewalReasons {
  /** Whether the release is upgraded for another reason. */
  readonly isUpgrade: boolean
  /** Whether the annotation `renew` asks for it. */
  readonly isAsked: boolean
  /** Whether a recorded certificate expires soon; the chart need not have made it. */
  readonly hasDueCertificate: boolean
  /** The recorded Secrets that do not exist. */
  readonly missing: readonly KubeObject[]
}

/** Finds the reasons to draw random values again. */
export async function renewalReasons(
  run: ReleaseRun,
  { info }: Release,
  {
    objects,
    ...requested
  }: Pick<RenewalReasons, 'isUpgrade' | 'isAsked'> & { objects: readonly RenderedObject[] },
): Promise<RenewalReasons> {
  const nowMs = run.ctx.clock.date().getTime()
  const ownSecrets = objects.map(({ object }) => object).filter(({ kind }) => kind === 'Secret')
  // While an operation is under way, its Secrets need not exist yet.
  const missing = info.status === 'deployed' && !requested.isUpgrade ? await findMissing(run, ownSecrets) : []
  return { ...requested, missing, hasDueCertificate: ownSecrets.some((object) => hasExpiring(object, nowMs)) }
}

/** The objects, all Secrets, that do not exist in the cluster. */
async function findMissing(run: ReleaseRun, objects: readonly KubeObject[]): Promise<KubeObject[]> {
  const missing: KubeObject[] = []
  for (const object of objects) {
    const { namespace, name = '' } = object.metadata
    const key = { namespace: namespace || run.release.namespace, name }
    if (!(await run.live.read({ resource: secrets, key }))) missing.push(object)
  }
  return missing
}

/** Whether the annotation `renew` has another text than when a revision was last made with it. */
export function isRenewalAsked(
  { annotations: { renew } }: Pick<ReleaseRun, 'annotations'>,
  revisions: readonly StoredRelease[],
): boolean {
  const texts = revisions.flatMap(({ written }) => written?.renew ?? [])
  return renew !== undefined && texts.at(-1) !== renew
}

/** Whether there is any reason to draw random values again. */
export const isRenewal = ({ isUpgrade, isAsked, missing, hasDueCertificate }: RenewalReasons) =>
  isUpgrade || isAsked || hasDueCertificate || missing.length > 0

/**
 * The random fields that are drawn again: the annotations of Pods with an upgrade, as helm does to restart them; all of
 * a Secret that is gone; all certificates and keys together if one of them expires or is gone, because they belong
 * together; and everything if the annotation asks for it. Undefined for none.
 */
export function renewalOf(
  { isUpgrade, isAsked, missing }: RenewalReasons,
  leaves: readonly RandomLeaf[],
  nowMs: number,
): Renews | undefined {
  const isGone = ({ object }: RandomLeaf) => missing.some((first) => isSame(first, object))
  const areKeysDrawn = leaves.some(
    (leaf) =>
      isPem(leaf.stored) &&
      (isGone(leaf) || certificatesIn(leaf.stored).some((first) => isDue(first, nowMs))),
  )
  const renews: Renews = (leaf) =>
    isAsked || (isUpgrade && isPodAnnotation(leaf)) || isGone(leaf) || (areKeysDrawn && isPem(leaf.stored))
  return leaves.some(renews) ? renews : undefined
}

const isSame = (first: KubeObject, other: KubeObject) =>
  first.kind === other.kind &&
  first.metadata.name === other.metadata.name &&
  first.metadata.namespace === other.metadata.namespace

const isPodAnnotation = ({ path }: RandomLeaf) =>
  /: spec(?:\.jobTemplate\.spec)?\.template\.metadata\.annotations\./.test(path)

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** A text, and the text that it encodes in base64. */
function decodedTexts(value: unknown): string[] {
  return typeof value === 'string' ? [value, Buffer.from(value, 'base64').toString('latin1')] : []
}

const isPem = (value: unknown) => decodedTexts(value).some((text) => text.includes('-----BEGIN '))

function certificatesIn(value: unknown): X509Certificate[] {
  return decodedTexts(value).flatMap((text) =>
    (text.match(certificatePattern) ?? []).flatMap(parseCertificate),
  )
}

function parseCertificate(text: string): X509Certificate[] {
  try {
    return [new X509Certificate(text)]
  } catch {
    return [] // Any text can stand between these lines.
  }
}

/** Whether a Secret contains a certificate that expires soon. */
function hasExpiring(object: KubeObject, nowMs: number): boolean {
  const { data = {}, stringData = {} } = object as { data?: object; stringData?: object }
  const values = [...Object.values(data ?? {}), ...Object.values(stringData ?? {})]
  return values.some((value) => certificatesIn(value).some((first) => isDue(first, nowMs)))
}

/** The maximum time before its end at which a certificate counts as expiring, in milliseconds. */
const maxLeadMs = 30 * 24 * 3_600_000

/** The sentence about the fields that are drawn again in a revision, and the reason. Values are not quoted. */
export function renewalSentence(renewed: readonly RandomLeaf[], reasons: RenewalReasons): string {
  const paths = [...new Set(renewed.map(({ path }) => path))].sort()
  const omittedText = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : ''
  const expiries = renewed.flatMap(({ drawn }) =>
    certificatesIn(drawn).map(({ validTo }) => Date.parse(validTo)),
  )
  const until =
    expiries.length > 0
      ? `; the first certificate is valid until ${new Date(Math.min(...expiries)).toISOString()}`
      : ''
  return `random values are drawn again, because ${reasonOf(renewed, reasons)}: ${paths.slice(0, maxPaths).join(', ')}${omittedText}${until}`
}

/** The most fields that an Event names. */
const maxPaths = 8

function reasonOf(renewed: readonly RandomLeaf[], { isAsked, missing, isUpgrade }: RenewalReasons): string {
  if (isAsked) return 'the annotation for renew asks for it'
  if (missing.length > 0)
    return `Secret ${missing.map(({ metadata }) => metadata.name).join(' and Secret ')} was deleted`
  if (isUpgrade && renewed.every(isPodAnnotation)) return 'the release is upgraded'
  return 'a certificate expires soon'
}

/** Whether a certificate expires within 30 days, or within the last third of its time if that is shorter. */
function isDue({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  return nowMs > to - Math.min(maxLeadMs, (to - from) / 3)
}
