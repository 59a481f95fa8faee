/** A raw JSON object. */
export type Json = Record<string, unknown>

/** A resource of sequences, with the bodies to send. */
export interface Subject {
  readonly plural: string
  readonly apiVersion: string
  readonly kind: string
  /** Subresources that are read and written separately. */
  readonly parts: readonly string[]
  /** Bodies for creates, replaces and applies, by name; `plain` is a valid one. */
  readonly bodies: Readonly<Record<string, Json>>
  /** Merge patches, by name; also used to change an object that a client has read. */
  readonly changes: Readonly<Record<string, Json>>
  /** Strategic merge patches that are not merge patches, by name. */
  readonly strategic: Readonly<Record<string, Json>>
}

const meta = (metadata: Json): Json => ({ metadata })
const unknownUid = '11111111-2222-4333-8444-555555555555'
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: unknownUid }

/** Valid and invalid bodies for any object. */
export const anyBody: Readonly<Record<string, Json>> = {
  plain: {},
  team: meta({ labels: { team: 'a', tier: 'x' } }),
  rivals: meta({ labels: { team: 'b' } }),
  annotated: meta({ annotations: { 'example.com/note': 'one' } }),
  held: meta({ finalizers: ['example.com/hold'] }),
  heldTwice: meta({ finalizers: ['example.com/hold', 'example.com/more'] }),
  owned: meta({ ownerReferences: [owner] }),
  ownedBadly: meta({ ownerReferences: [{ ...owner, uid: '' }] }),
  ownedTwice: meta({ ownerReferences: [owner, { ...owner, name: 'other' }] }),
  badLabelKey: meta({ labels: { '-x': 'y' } }),
  badLabelValue: meta({ labels: { x: '-' } }),
  badAnnotation: meta({ annotations: { 'a/b/c': 'y' } }),
  badFinalizer: meta({ finalizers: ['no-slash'] }),
  longLabel: meta({ labels: { x: 'y'.repeat(64) } }),
  badName: meta({ name: 'Not_A_Name' }),
  longName: meta({ name: 'n'.repeat(254) }),
  elsewhere: meta({ namespace: 'elsewhere' }),
  versioned: meta({ resourceVersion: '1' }),
  identified: meta({ uid: unknownUid }),
  dated: meta({ creationTimestamp: '2020-01-01T00:00:00Z', generation: 7 }),
  ended: meta({ deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 }),
  otherKind: { kind: 'Secret' },
  otherVersion: { apiVersion: 'v9' },
  labelNumber: meta({ labels: { x: 1 } }),
  labelNull: meta({ labels: { x: null } }),
  metadataList: { metadata: [] },
  unknownField: { surprise: 1 },
  unknownMeta: meta({ surprise: 1 }),
}

const anyChange: Readonly<Record<string, Json>> = {
  nothing: {},
  team: meta({ labels: { team: 'a' } }),
  rivals: meta({ labels: { team: 'b' } }),
  noTeam: meta({ labels: { team: null } }),
  noLabels: meta({ labels: null }),
  annotate: meta({ annotations: { 'example.com/note': 'two' } }),
  hold: meta({ finalizers: ['example.com/hold'] }),
  letGo: meta({ finalizers: null }),
  own: meta({ ownerReferences: [owner] }),
  disown: meta({ ownerReferences: [] }),
  rename: meta({ name: 'renamed' }),
  move: meta({ namespace: 'elsewhere' }),
  identify: meta({ uid: unknownUid }),
  stale: meta({ resourceVersion: '1' }),
  blind: meta({ resourceVersion: null }),
  oddVersion: meta({ resourceVersion: 'one' }),
  redate: meta({ creationTimestamp: '2020-01-01T00:00:00Z', generation: 7 }),
  end: meta({ deletionTimestamp: '2020-01-01T00:00:00Z' }),
  badLabel: meta({ labels: { x: '-' } }),
  otherKind: { kind: 'Secret' },
  otherVersion: { apiVersion: 'v9' },
  noMetadata: { metadata: null },
  labelNumber: meta({ labels: { x: 1 } }),
  unknownField: { surprise: 1 },
}

const anyStrategic: Readonly<Record<string, Json>> = {
  dropFinalizer: meta({ '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] }),
  addFinalizer: meta({ finalizers: ['example.com/more'] }),
  addOwner: meta({ ownerReferences: [owner] }),
  renameOwner: meta({ ownerReferences: [{ uid: unknownUid, name: 'other' }] }),
  dropOwner: meta({ ownerReferences: [{ $patch: 'delete', uid: unknownUid }] }),
  replaceLabels: meta({ labels: { $patch: 'replace', only: 'this' } }),
  deleteLabels: meta({ labels: { $patch: 'delete' } }),
  retainLabels: meta({ labels: { $retainKeys: ['team'], team: 'c' } }),
  orderFinalizers: meta({ '$setElementOrder/finalizers': ['example.com/more', 'example.com/hold'] }),
  unknownDirective: meta({ labels: { $patch: 'turn' } }),
}

interface Own {
  /** Merged into every body. */
  readonly base?: Json
  readonly parts?: readonly string[]
  readonly bodies?: Readonly<Record<string, Json>>
  readonly changes?: Readonly<Record<string, Json>>
  readonly strategic?: Readonly<Record<string, Json>>
}

/** A resource with the bodies for any object and its own bodies. */
export function subject(apiVersion: string, kind: string, own: Own): Subject {
  const { base = {}, parts = [], bodies = {}, changes = {}, strategic = {} } = own
  const full = Object.entries({ ...anyBody, ...bodies }).map(([name, body]) => [name, { ...base, ...body }])
  return {
    plural: `${kind.toLowerCase()}s`.replace(/ys$/, 'ies').replace(/sss$/, 'sses'),
    apiVersion,
    kind,
    parts,
    bodies: Object.fromEntries(full),
    changes: { ...anyChange, ...changes },
    strategic: { ...anyStrategic, ...strategic },
  }
}
