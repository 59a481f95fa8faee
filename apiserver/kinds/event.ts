import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { labelKeyProblems } from '../../sdk/engine/kube/label-syntax.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import type { Conversion } from '../resources/served-resource.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { validateFinalizerNames, validateMetadata } from '../validation/metadata.js'
import { checkPathSegmentName, checkSubdomainName } from '../validation/names.js'

const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

const objectFieldReaders = (name: string) =>
  objectFields.map(
    (field) => [`${name}.${field}`, (object: object) => textAt(object, 'involvedObject', field)] as const,
  )

/** The rules that Events have in both API groups. */
const commonRules: KindRules = {
  errorGroup: '',
  metadata: {
    name: checkPathSegmentName,
    isReportedLast: true,
    checksFinalizers: false,
  },
  read: {
    isCached: false,
  },
  setDefaults: fillReporter,
  update: {
    allowsCreate: true,
  },
  delete: {
    hasDependents: false,
  },
}

/** https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/ */
export const eventRules: KindRules = {
  ...commonRules,
  read: {
    ...commonRules.read,
    selectableFields: {
      ...Object.fromEntries(objectFieldReaders('involvedObject')),
      reason: (object) => textAt(object, 'reason'),
      reportingComponent: (object) => textAt(object, 'reportingComponent'),
      source: (object) => textAt(object, 'source', 'component') || textAt(object, 'reportingComponent'),
      type: (object) => textAt(object, 'type'),
    },
  },
  validate: (object) => legacyErrors(object, 'reportingComponent'),
}

/** The rules of `events.k8s.io/v1`, which are stricter: https://kep.k8s.io/383 */
export const newEventRules: KindRules = {
  ...commonRules,
  read: {
    ...commonRules.read,
    selectableFields: {
      ...Object.fromEntries(objectFieldReaders('regarding')),
      reason: (object) => textAt(object, 'reason'),
      reportingController: (object) => textAt(object, 'reportingComponent'),
      type: (object) => textAt(object, 'type'),
    },
  },
  validate: (object, old) => [
    ...legacyErrors(object, 'reportingController'),
    ...(old === undefined ? createErrors(object) : []),
  ],
  update: {
    ...commonRules.update,
    validate: updateErrors,
  },
}

/** The names of a core Event's fields in `events.k8s.io/v1`. */
const newNames: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
}
const oldNames = Object.fromEntries(Object.entries(newNames).map(([old, name]) => [name, old]))
/** Fields that only the core group writes if they are empty. */
const reporterFields = ['reportingComponent', 'reportingInstance']

/**
 * Events are stored in the core group's version; `pkg/apis/events/v1/conversion.go` of Kubernetes v1.36.3.
 */
export const eventConversion: Conversion = {
  toServed: (stored) =>
    renameFields(stored, newNames, (name, value) => reporterFields.includes(name) && value === ''),
  toStored: (served) => renameFields(served, oldNames, () => false),
}

function renameFields(
  object: OpenObject,
  names: Readonly<Record<string, string>>,
  isLeftOut: (name: string, value: unknown) => boolean,
): OpenObject {
  const members = Object.entries(object).filter(([name, value]) => !isLeftOut(name, value))
  return Object.fromEntries(members.map(([name, value]) => [names[name] ?? name, value])) as OpenObject
}

function fillReporter(object: OpenObject): void {
  for (const field of reporterFields) object[field] ??= ''
}

const maxLength = 128
const maxNoteLength = 1024

/** The errors of an Event in either API group. An Event with an `eventTime` is a new one, with more requirements. */
function legacyErrors(object: OpenObject, reporterField: string): FieldError[] {
  if (!object.eventTime) return namespaceErrors(object, ['default'])
  const involvedNamespace = textAt(object, 'involvedObject', 'namespace')
  const reporter = textAt(object, 'reportingComponent')
  return [
    ...(involvedNamespace === '' ? namespaceErrors(object, ['default', 'kube-system']) : []),
    ...(reporter === '' ? [required(reporterField, '')] : []),
    ...labelKeyProblems(reporter).map((problem) => invalidValue(reporterField, reporter, problem)),
    ...['reportingInstance', 'action', 'reason'].flatMap((field) => textErrors(object, field)),
    ...lengthErrors(object, 'message', maxNoteLength),
  ]
}

/**
 * An Event must be in the namespace of its object; that of a cluster-scoped object may be in certain
 * namespaces.
 */
function namespaceErrors({ metadata, involvedObject }: OpenObject, allowed: readonly string[]): FieldError[] {
  const namespace = textAt(involvedObject, 'namespace')
  const ownNamespace = metadata.namespace ?? ''
  if (namespace === '' ? allowed.includes(ownNamespace) : ownNamespace === namespace) return []
  return [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')]
}

function textErrors(object: OpenObject, field: string): FieldError[] {
  if (textAt(object, field) === '') return [required(field, '')]
  return lengthErrors(object, field, maxLength)
}

function lengthErrors(object: OpenObject, field: string, maxBytes: number): FieldError[] {
  if (Buffer.byteLength(textAt(object, field)) <= maxBytes) return []
  return [invalidValue(field, '', `can have at most ${maxBytes} characters`)]
}

/** Fields of old Events that new ones must not have. */
const forbiddenFields = ['firstTimestamp', 'lastTimestamp', 'count', 'source']

function createErrors(object: OpenObject): FieldError[] {
  const type = textAt(object, 'type')
  const isSet = (field: string) =>
    field === 'source' ? Object.keys(recordOf(object.source)).length > 0 : Boolean(object[field])
  return [
    ...validateMetadata(object, checkSubdomainName),
    ...validateFinalizerNames(object),
    ...seriesErrors(object),
    ...(object.eventTime ? [] : [required('eventTime', '')]),
    ...(['Normal', 'Warning'].includes(type) ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...forbiddenFields.filter(isSet).map((field) => invalidValue(field, '', 'needs to be unset')),
  ]
}

function seriesErrors(object: OpenObject): FieldError[] {
  if (object.series === undefined) return []
  const count = Number(fieldAt(object, 'series', 'count') ?? 0)
  return [
    ...(count < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(fieldAt(object, 'series', 'lastObservedTime') ? [] : [required('series.lastObservedTime', '')]),
  ]
}

/** The immutable fields of a new Event, in the order of the real server's errors. */
const immutable = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
]

function updateErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const changed = immutable.filter((field) => !jsonEqual(object[field] ?? null, old[field] ?? null))
  return [
    ...validateFinalizerNames(object),
    ...(jsonEqual(object.series ?? null, old.series ?? null) ? [] : seriesErrors(object)),
    ...changed.map((field) => {
      const name = field === 'reportingComponent' ? 'reportingController' : field
      return invalidValue(name, shownValue(field, object[field]), 'field is immutable')
    }),
  ]
}

const goNames: Readonly<Record<string, readonly string[]>> = {
  involvedObject: ['Kind', 'Namespace', 'Name', 'UID', 'APIVersion', 'ResourceVersion', 'FieldPath'],
  related: ['Kind', 'Namespace', 'Name', 'UID', 'APIVersion', 'ResourceVersion', 'FieldPath'],
  source: ['Component', 'Host'],
}
const zeros: Readonly<Record<string, unknown>> = { count: 0, reason: '', message: '', type: '', action: '' }

/** A value with the field names of Go's internal type instead of the names of the API. */
function shownValue(field: string, value: unknown): unknown {
  const names = goNames[field]
  if (names === undefined) return value ?? zeros[field] ?? null
  if (value === undefined && field === 'related') return null
  const byName = new Map(Object.entries(recordOf(value)).map(([name, text]) => [name.toLowerCase(), text]))
  return Object.fromEntries(names.map((name) => [name, byName.get(name.toLowerCase()) ?? '']))
}
